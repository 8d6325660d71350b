// The templates under deploy/ are checked: shells parse them, YAML is of the right shape, and every command line in them is one of ours.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { buildProgram } from '../../src/cli/program.ts';

const root = fileURLToPath(new URL('../../deploy/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const yamls = files.filter((name) => /\.ya?ml$/.test(name));
const scripts = files.filter((name) => name.endsWith('.sbatch'));

const container = z.looseObject({
  name: z.string(),
  image: z.string().regex(/:[\w.-]+$/, 'an image needs a tag'),
  resources: z.looseObject({
    requests: z.looseObject({ cpu: z.string(), memory: z.string() }),
    limits: z.looseObject({ memory: z.string() }),
  }),
  securityContext: z.looseObject({ allowPrivilegeEscalation: z.literal(false) }),
});
const podTemplate = z.looseObject({
  spec: z.looseObject({ containers: z.array(container).min(1), securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }) }),
});
const manifest = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('Job'),
    apiVersion: z.literal('batch/v1'),
    metadata: z.looseObject({ name: z.string().regex(/^[a-z0-9-]+$/) }),
    spec: z.looseObject({
      backoffLimit: z.number(),
      completionMode: z.literal('Indexed').optional(),
      completions: z.number().optional(),
      parallelism: z.number().optional(),
      template: podTemplate,
    }),
  }),
  z.looseObject({
    kind: z.literal('Deployment'),
    apiVersion: z.literal('apps/v1'),
    metadata: z.looseObject({ name: z.string() }),
    spec: z.looseObject({ replicas: z.number(), selector: z.looseObject({}), template: podTemplate }),
  }),
]);

test('the templates are there', () => {
  expect(yamls.length).toBeGreaterThanOrEqual(4);
  expect(scripts.length).toBeGreaterThanOrEqual(3);
});

test.each(scripts)('%s parses, is strict, and asks Slurm only for what Slurm knows', (name) => {
  execFileSync('bash', ['-n', join(root, name)]);
  const text = read(name);
  expect(text).toMatch(/^#!\/usr\/bin\/env bash\n/);
  expect(text).toContain('set -euo pipefail');
  const known = /^#SBATCH --(?:job-name|cpus-per-task|mem|time|requeue|signal|output|array|gres|partition)(?:=\S+)?$/;
  const directives = text.split('\n').filter((line) => line.startsWith('#SBATCH'));
  expect(directives.filter((line) => !known.test(line))).toEqual([]);
  // Slurm stops reading directives at the first command.
  expect(text.lastIndexOf('#SBATCH')).toBeLessThan(text.indexOf('set -euo'));
});

test.each(yamls)('%s is valid YAML without doubled keys', (name) => {
  for (const document of parseAllDocuments(read(name))) expect(document.errors).toEqual([]);
});

test.each(yamls.filter((name) => name.startsWith('kubernetes')))('%s holds well-formed manifests with limits and no root', (name) => {
  for (const document of parseAllDocuments(read(name))) {
    const value = manifest.parse(document.toJS());
    if (value.kind !== 'Job' || value.spec.completions === undefined) continue;
    expect(JSON.stringify(value)).toContain(`/${value.spec.completions}\\"`);
  }
});

test('the composite action hands inputs over in the environment, never inside a script', () => {
  const action = parseAllDocuments(read('github/action.yml'))[0]!.toJS() as {
    runs: { using: string; steps: { run?: string; shell?: string }[] };
  };
  expect(action.runs.using).toBe('composite');
  for (const step of action.runs.steps) {
    if (step.run === undefined) continue;
    expect(step.shell).toBe('bash');
    expect(step.run).not.toContain('${{');
    execFileSync('bash', ['-n'], { input: step.run });
  }
});

test('every slmbench command in the templates has only flags that exist', async () => {
  const commands = files
    .filter((name) => /\.(ya?ml|sbatch)$/.test(name))
    .flatMap((name) => read(name).replace(/", "/g, ' ').split('\n'))
    .flatMap((line) =>
      [...line.matchAll(/slmbench (run|merge|worker|gate) ([^\n\]]*)/g)].map((match) => ({ verb: match[1]!, rest: match[2]! })),
    );
  expect(commands.length).toBeGreaterThanOrEqual(6);
  for (const { verb, rest } of commands) {
    const program = await buildProgram([verb], () => undefined);
    const command = program.commands.find((one) => one.name() === verb)!;
    const known = new Set(command.options.flatMap((option) => [option.long, option.short]));
    for (const flag of rest.match(/(?<=^|\s)--?[a-z][a-z-]*/g) ?? []) expect(known.has(flag), `${verb} ${flag}`).toBe(true);
  }
});
