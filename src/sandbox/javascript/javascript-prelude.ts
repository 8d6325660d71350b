// JavaScript that runs first in each fresh QuickJS realm: `console`, `require('assert')` and their captured primitives.

/**
 * An expression that yields `install`, which (re)defines the globals that tests rely on; it is called again before the tests,
 * because a program may have replaced them. `write` and `fail` are functions of the host.
 */
export const javascriptPrelude = `(function (write, fail) {
'use strict';
const { ownKeys, getPrototypeOf, apply, defineProperty } = Reflect;
const { is, freeze } = Object;
const { isArray } = Array;
const uncurry = (method) => (self, ...values) => apply(method, self, values);
const tag = uncurry(Object.prototype.toString);
const isOwn = uncurry(Object.prototype.hasOwnProperty);
const valueOfDate = uncurry(Date.prototype.getTime);
const mapEntries = uncurry(Map.prototype.entries), setValues = uncurry(Set.prototype.values);
const TrueMap = Map, TrueSet = Set, TrueDate = Date, TrueRegExp = RegExp, TrueError = Error, TrueString = String, stringify = JSON.stringify;
const regexText = uncurry(RegExp.prototype.toString);
const show = (value) => {
  try { return typeof value === 'string' ? value : stringify(value) ?? TrueString(value); } catch { return TrueString(value); }
};
class AssertionError extends TrueError {
  constructor(message) { super(message); this.name = 'AssertionError'; this.code = 'ERR_ASSERTION'; }
}
const same = (a, b, strict) => (strict ? is(a, b) : a == b || (a !== a && b !== b));
const listOf = (iterator) => { const items = []; for (let step = iterator.next(); !step.done; step = iterator.next()) items[items.length] = step.value; return items; };
function deep(a, b, strict, depth) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return same(a, b, strict);
  if (a === b) return true;
  if (depth > 200) throw new AssertionError('nested too deeply to compare');
  if (strict && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
  if (tag(a) !== tag(b) || isArray(a) !== isArray(b)) return false;
  if (a instanceof TrueDate) return valueOfDate(a) === valueOfDate(b);
  if (a instanceof TrueRegExp) return regexText(a) === regexText(b);
  if (a instanceof TrueError && (a.message !== b.message || a.name !== b.name)) return false;
  if (a instanceof TrueMap) return deep(listOf(mapEntries(a)), listOf(mapEntries(b)), strict, depth + 1);
  if (a instanceof TrueSet) {
    const left = listOf(setValues(a)), right = listOf(setValues(b));
    return left.length === right.length && left.every((x) => right.some((y) => deep(x, y, strict, depth + 1)));
  }
  const keys = ownKeys(a), others = ownKeys(b);
  if (keys.length !== others.length) return false;
  for (const key of keys) if (!isOwn(b, key) || !deep(a[key], b[key], strict, depth + 1)) return false;
  return true;
}
const check = (condition, message, fallback) => {
  if (condition) return;
  if (message instanceof TrueError) throw message;
  throw new AssertionError(message ?? fallback);
};
const both = (a, b) => 'got ' + show(a) + ', expected ' + show(b);
const throwsError = (action) => { try { action(); } catch { return true; } return false; };
const assert = (value, message) => check(value, message, 'not true: ' + show(value));
assert.ok = (value, message) => check(value, message, 'not true: ' + show(value));
assert.equal = (a, b, message) => check(same(a, b, false), message, both(a, b));
assert.notEqual = (a, b, message) => check(!same(a, b, false), message, both(a, b));
assert.strictEqual = (a, b, message) => check(is(a, b), message, both(a, b));
assert.notStrictEqual = (a, b, message) => check(!is(a, b), message, both(a, b));
assert.deepEqual = (a, b, message) => check(deep(a, b, false, 0), message, both(a, b));
assert.deepStrictEqual = (a, b, message) => check(deep(a, b, true, 0), message, both(a, b));
assert.notDeepEqual = (a, b, message) => check(!deep(a, b, false, 0), message, both(a, b));
assert.notDeepStrictEqual = (a, b, message) => check(!deep(a, b, true, 0), message, both(a, b));
assert.throws = (action, expected, message) => check(throwsError(action), message, 'did not throw');
assert.doesNotThrow = (action, message) => check(!throwsError(action), message, 'threw');
assert.fail = (message) => check(false, message, 'failed');
assert.AssertionError = AssertionError;
assert.strict = assert;
freeze(assert);
const print = (...values) => write(values.map(show).join(' ') + '\\n');
const console = freeze({
  log: print, info: print, warn: print, error: print, debug: print,
  assert: (condition, ...values) => { if (!condition) fail('console.assert: ' + values.map(show).join(' ')); },
});
const require = freeze((name) => {
  if (name === 'assert' || name === 'node:assert' || name === 'assert/strict' || name === 'node:assert/strict') return assert;
  throw new TrueError('Cannot find module ' + show(name) + ': only assert is there');
});
const put = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
return () => { put('console', console); put('require', require); };
})`;
