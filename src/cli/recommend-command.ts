// `slmbench recommend`: words and table, or JSON.
import { recommendModel } from '../app/recommend.ts';
import { openWorkspace } from '../app/workspace.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { type Aspect, defaultWeights, type Weights } from '../report/recommend/recommend.ts';
import { candidateJson, renderRecommendation } from '../report/recommend/render-recommendation.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { parseDuration, parseSize } from './quantities.ts';
import { shownCommandLine } from './run-options.ts';
import { outputStyle } from './terminal-style.ts';
import type { RecommendFlags } from './verbs/recommend.ts';

function parseWeights(pairs: readonly string[]): Weights {
  const weights: Record<Aspect, number> = { ...defaultWeights };
  for (const pair of pairs.flatMap((text) => text.split(','))) {
    const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
    const aspect = name === 'accuracy' ? 'quality' : name;
    if (!Object.hasOwn(weights, aspect))
      throw new ToolError('usage', `--weight ${pair}: unknown aspect "${name}"`, {
        hint: suggestName(name, [...Object.keys(weights), 'accuracy']),
      });
    const weight = Number(value);
    if (value === '' || !Number.isFinite(weight) || weight < 0)
      throw new ToolError('usage', `--weight ${pair}: expected a number of at least 0`);
    weights[aspect as Aspect] = weight;
  }
  return weights;
}

export async function recommendCommand(flags: RecommendFlags): Promise<string> {
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    const workspace = await openWorkspace({ output: flags.output, offline: flags.offline, listener: progress.listener });
    const { recommendation, measurable } = await recommendModel(
      {
        tasks: flags.task ?? [],
        models: flags.models ?? [],
        constraints: {
          maxMemoryBytes: parseSize(flags.maxMemory, '--max-memory'),
          maxTtftMs: parseDuration(flags.maxTtft, '--max-ttft'),
          maxLatencyMs: parseDuration(flags.maxLatency, '--max-latency'),
          minQuality: flags.minAccuracy,
          minTokensPerSecond: flags.minSpeed,
          licence: flags.licence,
        },
        weights: parseWeights(flags.weight ?? []),
        run: flags.run === true,
        samples: flags.maxSamples,
        commandLine: shownCommandLine(process.argv.slice(2)),
      },
      workspace,
      { listener: progress.listener, finish: interrupts.finish, stop: interrupts.stop },
    );
    progress.close();
    if (flags.json !== true) return renderRecommendation(recommendation, measurable, outputStyle());
    const ranked = recommendation.ranked.map(({ candidate, ...one }) => ({ ...one, candidate: candidateJson(candidate) }));
    return `${JSON.stringify({ ...recommendation, chosen: recommendation.chosen?.candidate.model ?? null, ranked, measurable }, null, 2)}\n`;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
