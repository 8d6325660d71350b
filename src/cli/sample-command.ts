// `slmbench sample`: prints samples so that no byte is hidden.
import { type ShownSample, showSamples } from '../app/show-samples.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { type RunFlags, shownCommandLine, toEvaluationRequest } from './run-options.ts';

function promptText(sample: ShownSample): string {
  if (sample.rendered !== null) return sample.rendered.text;
  if (sample.prompt.kind === 'text') return sample.prompt.text;
  return sample.prompt.messages.map((message) => `<${message.role}> ${message.content}`).join('\n');
}

/** White space made visible at line ends, so that a trailing blank is seen. */
function visible(text: string): string {
  return neutraliseForTerminal(text)
    .split('\n')
    .map((line) => `  | ${line.replace(/[ \t]+$/, (blank) => '·'.repeat(blank.length))}`)
    .join('\n');
}

function block(sample: ShownSample, index: number): string {
  const lines = [`── ${sample.task} sample ${index + 1}, id ${sample.id}${sample.model === null ? '' : `, as ${sample.model} sees it`}`];
  lines.push(`prompt (${new TextEncoder().encode(promptText(sample)).length} bytes):`, visible(promptText(sample)));
  const tokens = sample.rendered?.tokens;
  if (tokens !== undefined) lines.push(`token ids (${tokens.length}): ${tokens.join(' ')}`);
  for (const [at, choice] of sample.choices.entries())
    lines.push(`choice ${at}${sample.gold.includes(at) ? ' (gold)' : ''}: ${JSON.stringify(choice)}`);
  lines.push(`gold: ${JSON.stringify(sample.label)}${sample.references.length > 1 ? ` (${sample.references.length} accepted)` : ''}`);
  if (sample.settings !== null) lines.push(`settings: ${JSON.stringify(sample.settings)}`);
  return neutraliseForTerminal(lines.join('\n'));
}

export async function sampleCommand(flags: RunFlags): Promise<void> {
  const samples = await showSamples(toEvaluationRequest(flags, shownCommandLine(process.argv.slice(2))));
  process.stdout.write(flags.json === true ? `${JSON.stringify(samples, null, 2)}\n` : `${samples.map(block).join('\n\n')}\n`);
}
