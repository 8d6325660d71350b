// Runs JavaScript in QuickJS compiled to WebAssembly, in a process without authority.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeRunner } from '../../core/ports/code-runner.ts';
import { createSandboxRunner, entryBeside } from '../shared/sandbox-runner.ts';

export function createJavascriptRunner(): CodeRunner {
  const moduleUrl = import.meta.resolve('quickjs-emscripten');
  const require = createRequire(moduleUrl);
  /** Folder of a package, or of its scope: quickjs-emscripten looks at the manifests of all variants before it loads one. */
  const folderOf = (name: string) => require.resolve(name).replace(/([\\/]node_modules[\\/][^\\/]+)[\\/].*$/, '$1');
  return createSandboxRunner('javascript', {
    entryUrl: entryBeside(import.meta.url, 'javascript-host'),
    moduleUrl,
    packageFolders: [
      dirname(dirname(fileURLToPath(moduleUrl))),
      folderOf('quickjs-emscripten-core'),
      folderOf('@jitl/quickjs-wasmfile-release-sync'),
    ],
    heapMebibytes: 128,
    // Deep recursion in the program must meet QuickJS's own stack limit before the host's.
    nodeFlags: ['--stack-size=3900'],
  });
}
