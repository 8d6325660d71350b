// Writes schema/*.json (JSON Schema 2020-12 for editors and other tools) from the zod schemas; `--check` fails when a file is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const load = (path) => import(`${root}src/${path}`);

/** name -> [module, export, which side of the schema people write or read] */
const schemas = {
  record: ['core/record.ts', 'runRecordSchema', 'output'],
  plan: ['core/plan.ts', 'runPlanSchema', 'output'],
  prediction: ['core/prediction.ts', 'predictionRowSchema', 'output'],
  recipe: ['config/run-recipe.ts', 'runRecipeSchema', 'input'],
  config: ['config/run-recipe.ts', 'projectConfigSchema', 'input'],
  task: ['tasks/task-definition.ts', 'taskDefinitionSchema', 'input'],
  specialise: ['config/specialise-recipe.ts', 'specialiseRecipeSchema', 'input'],
  benchmark: ['core/specialise-record.ts', 'benchmarkRecordSchema', 'output'],
};

const check = process.argv.includes('--check');
mkdirSync(`${root}schema`, { recursive: true });
let stale = 0;
const written = new Set();
for (const [name, [path, exported, io]] of Object.entries(schemas)) {
  if (!existsSync(`${root}src/${path}`)) continue;
  const schema = (await load(path))[exported];
  const json = {
    $id: `slmbench/${name}.schema.json`,
    title: `slmbench ${name}`,
    ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }),
  };
  const text = `${JSON.stringify(json, null, 2)}\n`;
  const file = `${root}schema/${name}.schema.json`;
  written.add(`${name}.schema.json`);
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (current === text) continue;
  if (check) {
    process.stdout.write(`schema/${name}.schema.json is stale: run npm run schema\n`);
    stale++;
  } else writeFileSync(file, text);
}
for (const file of readdirSync(`${root}schema`)) {
  if (written.has(file)) continue;
  if (check) stale++;
  else rmSync(`${root}schema/${file}`);
}
process.stdout.write(`${written.size} schemas, ${stale} stale\n`);
process.exitCode = stale === 0 ? 0 : 1;
