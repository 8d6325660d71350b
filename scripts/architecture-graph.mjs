// Draws which room imports which, from the sources, between the markers in docs/architecture.md; `--check` fails when it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const result = await cruise(
  ['src'],
  { ...rules.options, exclude: '[.]test[.]tsx?$' },
  {},
  { tsConfig: extractTypeScriptConfig('tsconfig.json') },
);
const roomOf = (path) => (/^src\/web\/(server|client)\//.exec(path) ? path.split('/').slice(1, 3).join('/') : path.split('/')[1]);
const counts = new Map();
const edges = new Set();
for (const module of result.output.modules) {
  if (!/^src\/[^/]+\//.test(module.source)) continue;
  const from = roomOf(module.source);
  counts.set(from, (counts.get(from) ?? 0) + 1);
  for (const dependency of module.dependencies) {
    if (!/^src\/[^/]+\//.test(dependency.resolved)) continue;
    const to = roomOf(dependency.resolved);
    if (to !== from && to !== 'core') edges.add(`  ${from.replace('/', '_')} --> ${to.replace('/', '_')}`);
  }
}
const nodes = [...counts].sort().map(([room, count]) => `  ${room.replace('/', '_')}["${room} (${count})"]`);
const graph = ['```mermaid', 'flowchart LR', ...nodes, ...[...edges].sort(), '```'].join('\n');
const file = 'docs/architecture.md';
const text = readFileSync(file, 'utf8');
const next = text.replace(/<!-- graph -->[\s\S]*<!-- \/graph -->/, `<!-- graph -->\n${graph}\n<!-- /graph -->`);
if (process.argv.includes('--check')) {
  const stripCounts = (value) => value.replace(/ \(\d+\)/g, '');
  const fresh = stripCounts(next) === stripCounts(text);
  process.stdout.write(
    fresh ? 'import graph is fresh\n' : 'the import graph in docs/architecture.md is stale: run node scripts/architecture-graph.mjs\n',
  );
  process.exitCode = fresh ? 0 : 1;
} else writeFileSync(file, next);
