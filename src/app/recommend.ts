// Recommends a model from the records on disk; `--run` first measures what is missing.
import { estimateEntryMemoryBytes } from '../backends/estimate-memory.ts';
import { modelRegistry } from '../backends/model-registry.ts';
import { ToolError } from '../core/errors.ts';
import type { RunRecord } from '../core/record.ts';
import type { ScoredRow } from '../report/compare/compare-records.ts';
import { type Candidate, gatherCandidates } from '../report/recommend/gather-candidates.ts';
import { type Constraints, type Recommendation, recommend, type Weights } from '../report/recommend/recommend.ts';
import { comparePaired, pairScores } from '../stats/compare-paired.ts';
import { loadFileRunStore } from '../store/registry.ts';
import { scoreRows } from './compare.ts';
import { evaluateRequest } from './evaluate-request.ts';
import type { EvaluationHooks } from './evaluation-request.ts';
import { openRun } from './open-run.ts';
import { recordedTaskNames } from './recorded-task-names.ts';
import type { Workspace } from './workspace.ts';

export interface RecommendRequest {
  readonly tasks: readonly string[];
  /** Models to consider; empty: all that have records. */
  readonly models: readonly string[];
  readonly constraints: Constraints;
  readonly weights: Weights;
  /** Measure models that lack a task before choosing. */
  readonly run: boolean;
  readonly samples: number;
  readonly commandLine: string;
}

export interface RecommendResult {
  readonly recommendation: Recommendation;
  /** Registry models that were never run and whose files fit the memory limit. */
  readonly measurable: readonly string[];
}

async function readRecords(workspace: Workspace): Promise<RunRecord[]> {
  const store = await loadFileRunStore(workspace.runsFolder);
  const runs = (await store.list()).filter((run) => run.status === 'complete');
  const records: RunRecord[] = [];
  for (const run of runs) records.push(await store.readRecord(run.runId));
  return records;
}

async function measure(request: RecommendRequest, workspace: Workspace, hooks: EvaluationHooks): Promise<void> {
  if (request.models.length === 0 || request.tasks.length === 0)
    throw new ToolError('usage', '--run needs -m and --task: what to measure, and on what');
  await evaluateRequest(
    {
      assignments: [],
      models: request.models,
      tasks: request.tasks,
      settings: { samples: request.samples },
      generation: {},
      adapters: [],
      dataFile: { columns: [] },
      output: workspace.runsFolder,
      dryRun: false,
      force: false,
      fresh: false,
      offline: workspace.offline,
      commandLine: request.commandLine,
    },
    hooks,
  );
}

function fittingModels(workspace: Workspace, records: readonly RunRecord[], constraints: Constraints): string[] {
  const known = new Set(records.flatMap((record) => record.models.map((model) => model.key)));
  const limit = constraints.maxMemoryBytes ?? Number.POSITIVE_INFINITY;
  return modelRegistry(workspace.userModels)
    .entries.filter((entry) => !known.has(entry.name) && !entry.name.startsWith('toy') && !entry.name.includes(':'))
    .filter((entry) => (estimateEntryMemoryBytes(entry) ?? Number.POSITIVE_INFINITY) <= limit)
    .map((entry) => entry.name);
}

/** Rows of the runs that the evidence rests on, read once each. */
function rowReader(workspace: Workspace) {
  const known = new Map<string, Promise<Map<string, ScoredRow[]>>>();
  return (runId: string): Promise<Map<string, ScoredRow[]>> => {
    let rows = known.get(runId);
    if (rows === undefined) known.set(runId, (rows = openRun(runId, workspace).then((run) => scoreRows(run, workspace.userMetrics))));
    return rows;
  };
}

async function readEvidenceRows(candidates: readonly Candidate[], workspace: Workspace) {
  const read = rowReader(workspace);
  const rows = new Map<string, ScoredRow[]>();
  for (const candidate of candidates) {
    for (const { task, record } of candidate.evidence) {
      rows.set(`${candidate.model}\u0000${task}`, (await read(record.id)).get(`${candidate.model}\u0000${task}`) ?? []);
    }
  }
  return rows;
}

export async function recommendModel(
  request: RecommendRequest,
  workspace: Workspace,
  hooks: EvaluationHooks = {},
): Promise<RecommendResult> {
  if (request.run) await measure(request, workspace, hooks);
  const records = await readRecords(workspace);
  if (records.length === 0)
    throw new ToolError('not-found', `no finished run in ${workspace.runsFolder}`, {
      hint: 'slmbench run -m A,B -d TASK measures models; --run does it here',
    });
  const gathered = gatherCandidates(records, recordedTaskNames(request.tasks, records), request.models);
  const rows = await readEvidenceRows(gathered.candidates, workspace);
  const recommendation = recommend({
    gathered,
    constraints: request.constraints,
    weights: request.weights,
    compare: (base, other, task) => {
      const [a, b] = [rows.get(`${other.model}\u0000${task}`), rows.get(`${base.model}\u0000${task}`)];
      return a === undefined || b === undefined || a.length === 0 || b.length === 0 ? null : comparePaired(pairScores(a, b), { seed: 42 });
    },
  });
  return { recommendation, measurable: fittingModels(workspace, records, request.constraints) };
}
