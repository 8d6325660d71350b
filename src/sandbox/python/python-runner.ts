// Runs Python in CPython compiled to WebAssembly (Pyodide), in a process without authority.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeRunner } from '../../core/ports/code-runner.ts';
import { createSandboxRunner, entryBeside } from '../shared/sandbox-runner.ts';

export function createPythonRunner(): CodeRunner {
  const moduleUrl = import.meta.resolve('pyodide');
  return createSandboxRunner('python', {
    entryUrl: entryBeside(import.meta.url, 'python-host'),
    moduleUrl,
    packageFolders: [dirname(fileURLToPath(moduleUrl))],
    heapMebibytes: 256,
  });
}
