// What --dry-run prints: models with memory, tasks with sizes, and a time estimate from this machine's own earlier runs.
import type { RunPlan } from '../core/plan.ts';
import type { RunRecord } from '../core/record.ts';
import { availableMemoryBytes, usablePhysicalCores } from '../profiler/host-facts.ts';
import { dash, formatBytes, formatDuration, formatParameters, neutraliseControls } from '../report/format-values.ts';
import { estimateDuration, type ModelRates, type SampleTokens } from '../runner/estimate-duration.ts';
import { loadFileRunStore } from '../store/registry.ts';
import type { Workspace } from './workspace.ts';

/** Assumed tokens of one sample where no earlier run tells. */
const typicalTokens: Readonly<Record<RunPlan['tasks'][number]['kind'], SampleTokens>> = {
  choose: { promptTokens: 120, completionTokens: 0 },
  'choose-letter': { promptTokens: 150, completionTokens: 8 },
  generate: { promptTokens: 150, completionTokens: 100 },
  perplexity: { promptTokens: 1024, completionTokens: 0 },
};

interface Experience {
  readonly rates: Record<string, ModelRates>;
  readonly tokens: Record<string, SampleTokens>;
}

function learn(record: RunRecord, plan: RunPlan, into: Experience): void {
  for (const entry of record.results) {
    const digest = record.models.find((model) => model.key === entry.model)?.facts.digest;
    const model = plan.models.find((candidate) => candidate.facts.digest !== null && candidate.facts.digest === digest);
    const { speed } = entry;
    if (model !== undefined && speed.prefillTokensPerSecond !== null) {
      const known = into.rates[model.key];
      into.rates[model.key] = {
        loadMs: record.modelRuns.find((run) => run.model === entry.model)?.loadMs ?? null,
        prefillTokensPerSecond: speed.prefillTokensPerSecond,
        decodeTokensPerSecond: speed.decodeTokensPerSecond ?? known?.decodeTokensPerSecond ?? null,
      };
    }
    if (speed.n > 0 && (speed.computedTokens ?? speed.promptTokens) !== null) {
      into.tokens[entry.task] ??= {
        promptTokens: (speed.computedTokens ?? speed.promptTokens)! / speed.n,
        completionTokens: (speed.completionTokens ?? 0) / speed.n,
      };
    }
  }
}

/** Reads the newest records of the runs folder; unreadable ones teach nothing. */
async function gatherExperience(plan: RunPlan, workspace: Workspace): Promise<Experience> {
  const experience: Experience = { rates: {}, tokens: {} };
  const store = await loadFileRunStore(workspace.runsFolder);
  const runs = (await store.list().catch(() => [])).filter((run) => run.status === 'complete').slice(0, 20);
  for (const run of runs) {
    const record = await store.readRecord(run.runId).catch(() => null);
    if (record !== null) learn(record, plan, experience);
  }
  return experience;
}

export async function describePlan(plan: RunPlan, workspace: Workspace): Promise<string> {
  const { rates, tokens } = await gatherExperience(plan, workspace);
  const withDefaults = Object.fromEntries(plan.tasks.map((task) => [task.key, tokens[task.key] ?? typicalTokens[task.kind]]));
  const estimate = estimateDuration(plan, rates, withDefaults);
  const lines = [
    `plan ${plan.digest.slice(0, 16)} (nothing is run)`,
    '',
    `machine: ${usablePhysicalCores()} cores, ${formatBytes(availableMemoryBytes())} free memory`,
    ...plan.models.map(({ key, backend, facts, estimatedMemoryBytes }) => {
      const time = estimate.models.find((model) => model.model === key)?.durationMs ?? null;
      const duration = time === null ? 'time unknown (no earlier run of this model here)' : `about ${formatDuration(time)}`;
      return `model ${key}: ${backend}, ${formatParameters(facts.parameters)} parameters, ${facts.quantisation ?? dash}, file ${formatBytes(facts.sizeBytes)}, memory about ${formatBytes(estimatedMemoryBytes)}, ${duration}`;
    }),
    ...plan.tasks.map(
      (task) =>
        `task ${task.key}: ${task.sampleIds.length} of ${task.dataset.splitSize} items (${task.selection}) of ${task.dataset.name} ${task.dataset.split}, ${task.kind}, ${task.fewShotIds.length} shots, ${task.protocol}, metric ${task.primaryMetric}, licence ${task.dataset.licence}`,
    ),
    '',
    `samples: ${plan.models.length * plan.repeats * plan.tasks.reduce((sum, task) => sum + task.sampleIds.length, 0)}, seed ${plan.seed}, repeats ${plan.repeats}, cache ${plan.cache}`,
    `time: ${estimate.totalMs === null ? 'unknown' : `about ${formatDuration(estimate.totalMs)}`}`,
  ];
  return `${lines.map(neutraliseControls).join('\n')}\n`;
}
