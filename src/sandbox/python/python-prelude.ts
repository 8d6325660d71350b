// Python that runs once in the fresh interpreter: closes every way to JavaScript, then defines how tests are run against a program.

/**
 * Leaves two functions in its namespace: `restore` puts the built-ins back, `judged_namespace` makes the namespace of the tests.
 * They hold what they need in closures, since a program may rebind any global or built-in.
 */
export const pythonPrelude = `
import sys, gc, os, posix, asyncio, builtins, _pyodide._importhook
import typing, collections, math, re, itertools, functools, heapq, bisect, string, random, copy, operator, datetime, json, hashlib

def close_bridge():
    import _imp, types
    # Built-in modules are loaded now, because afterwards no more can be: a second copy of the core would open the bridge again.
    for name in sys.builtin_module_names:
        try:
            __import__(name)
        except Exception:
            pass
    for name in ("create_builtin", "exec_builtin", "create_dynamic", "exec_dynamic"):
        delattr(_imp, name)
    _pyodide._importhook.jsfinder.jsproxies.clear()
    sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_pyodide")]
    asyncio.set_event_loop(None)
    proxy, core = sys.modules["pyodide.ffi"].JsProxy, sys.modules["_pyodide_core"]

    def opens_bridge(value):
        return value is core or isinstance(value, proxy) or (isinstance(value, types.BuiltinFunctionType) and value.__self__ is core)

    for name, module in list(sys.modules.items()):
        namespace = getattr(module, "__dict__", {})
        for key in [k for k, v in list(namespace.items()) if opens_bridge(v)]:
            del namespace[key]
        if name.split(".")[0] in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core"):
            sys.modules[name] = None
    for name in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "ctypes", "_ctypes", "_testcapi", "_testinternalcapi"):
        sys.modules[name] = None
    # With these a program could step over the tests or rewrite what judges it.
    # os.system reaches a real shell through the host, were it not for the host's own permissions.
    shell = ("system", "popen", "fork", "forkpty", "execv", "execve", "posix_spawn", "posix_spawnp", "kill", "killpg")
    for module, names in ((os, shell), (posix, shell), (sys, ("settrace", "setprofile", "monitoring", "_current_frames")),
            (gc, ("get_objects", "get_referrers", "get_referents"))):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)

def make_judge():
    live, saved = builtins.__dict__, dict(builtins.__dict__)
    type_, isinstance_, callable_, dict_, object_, failure = type, isinstance, callable, dict, object, AssertionError
    plain = frozenset((int, float, complex, bool, str, bytes, type(None), range))
    sequences = (list, tuple, set, frozenset)

    def restore():
        live.clear()
        live.update(saved)

    def probe(value, secrets, depth):
        kind = type_(value)
        if kind in plain:
            return
        if kind in sequences:
            if depth < 8:
                for index, item in zip(range(1000), value):
                    probe(item, secrets, depth + 1)
        elif kind is dict_:
            if depth < 8:
                for index, item in zip(range(1000), value.items()):
                    probe(item, secrets, depth + 1)
        else:
            for secret in secrets:
                try:
                    equal = bool(value == secret)
                except Exception:
                    equal = False
                if equal:
                    raise failure("the result claims to equal any value")

    def guarded(function, secrets):
        def judged_function(*positional, **named):
            result = function(*positional, **named)
            restore()
            probe(result, secrets, 0)
            return result
        return judged_function

    def judged_namespace(namespace, name, text, number):
        judged = dict_(namespace)
        if name:
            # A program that shadows len or abs keeps its own; the tests get the real ones.
            for key in saved:
                if key in judged and key != name and not key.startswith("__"):
                    del judged[key]
            target = judged.get(name)
            if callable_(target) and not isinstance_(target, type_):
                judged[name] = guarded(target, (object_(), text, number, float(number) + 0.5))
        return judged

    return restore, judged_namespace

restore, judged_namespace = make_judge()
close_bridge()
`;
