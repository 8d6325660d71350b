// What the records say of each model: quality on comparable test sets, speed, memory, licence; and what they never measured.
import type { MetricValue } from '../../core/metric.ts';
import type { ResultEntry, RunRecord } from '../../core/record.ts';

export interface TaskEvidence {
  readonly task: string;
  readonly manifest: string;
  readonly primary: MetricValue;
  readonly record: RunRecord;
  readonly entry: ResultEntry;
}

export interface Candidate {
  readonly model: string;
  readonly digest: string | null;
  readonly licence: string | null;
  readonly evidence: readonly TaskEvidence[];
  /** Mean of the primary values over the judged tasks; null where one of them is missing. */
  readonly quality: number | null;
  readonly ttftMs: number | null;
  readonly latencyMs: number | null;
  readonly decodeTokensPerSecond: number | null;
  readonly memoryBytes: number | null;
}

export interface Gathered {
  readonly tasks: readonly string[];
  readonly candidates: readonly Candidate[];
  /** Models that lack one of the tasks on the common items. */
  readonly incomplete: readonly { readonly model: string; readonly missing: readonly string[] }[];
  /** Wanted tasks that only some of the asked models have: not judged. */
  readonly leftOut: readonly { readonly task: string; readonly models: readonly string[] }[];
}

interface Observation extends TaskEvidence {
  readonly model: string;
  readonly digest: string | null;
  readonly licence: string | null;
}

function observe(record: RunRecord): Observation[] {
  if (record.smoke || record.status !== 'complete') return [];
  return record.results.flatMap((entry) => {
    const model = record.models.find((candidate) => candidate.key === entry.model);
    const task = record.tasks.find((candidate) => candidate.key === entry.task);
    if (model === undefined || task === undefined || entry.primary === null) return [];
    // Invalid answers are a result (and a bad one); errors alone say nothing of the model.
    if (entry.counts.scored + entry.counts.invalid === 0) return [];
    return [
      {
        model: model.key,
        digest: model.facts.digest,
        licence: model.facts.licence,
        task: task.key,
        manifest: task.manifest,
        primary: entry.primary,
        record,
        entry,
      },
    ];
  });
}

/** Of the test sets of one task, the one that most models answered; of equals, the larger, then the newer. */
function commonManifest(observations: readonly Observation[]): string {
  const sets = [...Map.groupBy(observations, (observation) => observation.manifest)].map(([manifest, group]) => ({
    manifest,
    models: new Set(group.map((observation) => observation.model)).size,
    size: group[0]!.entry.counts.total,
    created: group
      .map((observation) => observation.record.created)
      .toSorted()
      .at(-1)!,
  }));
  return sets.toSorted((a, b) => b.models - a.models || b.size - a.size || (a.created < b.created ? 1 : -1))[0]!.manifest;
}

function newest(observations: readonly Observation[]): Observation | undefined {
  return observations.toSorted((a, b) => (a.record.created < b.record.created ? 1 : -1))[0];
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function peakOf({ record, model, entry }: Observation): number | null {
  return record.modelRuns.find((run) => run.model === model)?.resources?.peakRssBytes ?? entry.resources?.peakRssBytes ?? null;
}

function candidateOf(model: string, chosen: readonly Observation[], tasks: readonly string[]): Candidate {
  const first = chosen[0]!;
  const speeds = chosen.map((observation) => observation.entry.speed);
  const values = chosen.map((observation) => observation.primary.value);
  const isComplete = chosen.length === tasks.length && !values.includes(null);
  const peaks = chosen.map(peakOf).filter((value) => value !== null);
  return {
    model,
    digest: first.digest,
    licence: first.licence,
    evidence: chosen,
    quality: isComplete ? mean(values) : null,
    ttftMs: mean(speeds.map((speed) => speed.ttftMs.p50)),
    latencyMs: mean(speeds.map((speed) => speed.latencyMs.p50)),
    decodeTokensPerSecond: mean(speeds.map((speed) => speed.decodeTokensPerSecond)),
    memoryBytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

/** Tasks that the wish names: by key, task name or group; without a wish, every task that at least half of the models share. */
function judgedTasks(byTask: ReadonlyMap<string, readonly Observation[]>, wanted: readonly string[], models: number): string[] {
  const names = [...byTask.keys()];
  if (wanted.length > 0) {
    return names.filter((key) => {
      const task = byTask.get(key)![0]!.record.tasks.find((candidate) => candidate.key === key)!;
      return wanted.some(
        (wish) =>
          key === wish || task.name === wish || task.name.startsWith(`${wish}-`) || task.type === wish || task.groups.includes(wish),
      );
    });
  }
  return names.filter((key) => new Set(byTask.get(key)!.map((observation) => observation.model)).size * 2 >= models);
}

/** The tasks that the models of the most shared one have in common. */
function sharedTasks(tasks: readonly string[], modelsOf: (task: string) => ReadonlySet<string>): string[] {
  const [first] = tasks.toSorted((a, b) => modelsOf(b).size - modelsOf(a).size);
  return first === undefined ? [] : tasks.filter((task) => [...modelsOf(first)].every((model) => modelsOf(task).has(model)));
}

/**
 * Smoke and unfinished runs are no evidence.
 * @param asked - the models to compare, on the tasks they have in common; empty: all models
 */
export function gatherCandidates(records: readonly RunRecord[], wanted: readonly string[], asked: readonly string[] = []): Gathered {
  const observations = records.flatMap(observe).filter(({ model }) => asked.length === 0 || asked.includes(model));
  const models = [...new Set([...asked, ...observations.map((observation) => observation.model)])];
  const byTask = Map.groupBy(observations, (observation) => observation.task);
  const found = judgedTasks(byTask, wanted, new Set(observations.map(({ model }) => model)).size);
  const manifests = new Map(found.map((task) => [task, commonManifest(byTask.get(task)!)]));
  const usable = observations.filter((one) => manifests.get(one.task) === one.manifest);
  const modelsOf = (task: string) => new Set(usable.filter((one) => one.task === task).map(({ model }) => model));
  const tasks = asked.length === 0 ? found : sharedTasks(found, modelsOf);
  const candidates: Candidate[] = [];
  const incomplete: { model: string; missing: string[] }[] = [];
  for (const model of models) {
    const chosen = tasks.flatMap((task) => newest(usable.filter((one) => one.model === model && one.task === task)) ?? []);
    const missing = tasks.filter((task) => !chosen.some((observation) => observation.task === task));
    if (missing.length > 0) incomplete.push({ model, missing });
    if (chosen.length > 0) candidates.push(candidateOf(model, chosen, tasks));
  }
  const leftOut = found.filter((task) => !tasks.includes(task)).map((task) => ({ task, models: [...modelsOf(task)] }));
  return { tasks, candidates, incomplete, leftOut };
}
