// `slmbench gate`: the report on stdout, JUnit and step summary in files, exit code 3 when the gate is missed.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { gateRun } from '../app/gate/gate-run.ts';
import { openWorkspace } from '../app/workspace.ts';
import { messageOf, ToolError } from '../core/errors.ts';
import { type GateRuleKind, parseGateRule } from '../report/gate/gate-rule.ts';
import { renderGateAnnotations, renderGateJUnit, renderGateMarkdown, renderGateTerminal } from '../report/gate/render-gate.ts';
import type { GateFlags } from './verbs/gate.ts';

async function write(path: string, text: string, how: typeof writeFile | typeof appendFile): Promise<void> {
  const target = resolve(path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await how(target, text);
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${target}: ${messageOf(cause)}`, { cause });
  }
}

export async function gateCommand(run: string, flags: GateFlags): Promise<number> {
  const parse = (kind: GateRuleKind, texts: readonly string[] | undefined) => (texts ?? []).map((text) => parseGateRule(kind, text));
  const rules = [
    ...parse('max-drop', flags.maxDrop),
    ...parse('max-ratio', flags.maxRatio),
    ...parse('min-ratio', flags.minRatio),
    ...parse('min', flags.min),
    ...parse('max', flags.max),
  ];
  const workspace = await openWorkspace({ output: flags.output, offline: true });
  const report = await gateRun({ run, baseline: flags.baseline, rules, strict: flags.strict === true }, workspace);
  process.stdout.write(flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : renderGateTerminal(report));
  if (flags.junit !== undefined) await write(flags.junit, renderGateJUnit(report), writeFile);
  const summary = flags.summary ?? process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') await write(summary, renderGateMarkdown(report), appendFile);
  // Annotations go to stderr under --json, which owns stdout; the runner reads both.
  const annotated = flags.annotations ?? process.env['GITHUB_ACTIONS'] === 'true';
  if (annotated) (flags.json === true ? process.stderr : process.stdout).write(renderGateAnnotations(report));
  return report.exitCode;
}
