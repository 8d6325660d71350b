// The file store passes the suite of run stores, also under a folder with spaces and characters outside ASCII.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'vitest';
import { loadFileRunStore } from '../../src/store/registry.ts';
import { describeRunStore } from './run-store-contract.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-store-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('files', () => {
  describeRunStore(() => loadFileRunStore(join(folder, 'runs')));
});
describe('files in a folder with a difficult name', () => {
  describeRunStore(() => loadFileRunStore(join(folder, 'my runs', 'Ergebnisse ä 评测')));
});
