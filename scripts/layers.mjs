// Runs the layer rules and asserts that modules were really cruised: a cruiser that sees no file reports a false green.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const files = readdirSync('src', { recursive: true }).filter((name) => /\.tsx?$/.test(name));
const result = await cruise(
  ['src'],
  { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true },
  {},
  {
    tsConfig: extractTypeScriptConfig('tsconfig.json'),
  },
);
const { summary, modules } = result.output;
const own = modules.filter((module) => module.source.startsWith('src/')).length;
for (const violation of summary.violations) {
  if (violation.rule.severity === 'error') process.stdout.write(`  ${violation.rule.name}: ${violation.from} -> ${violation.to}\n`);
}
process.stdout.write(`layer rules: ${own} of ${files.length} source files cruised, ${summary.error} violations\n`);
process.exitCode = summary.error === 0 && own >= files.length && own > 0 ? 0 : 1;
