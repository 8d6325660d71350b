// The library: everything the CLI does, typed. Evaluation, models, datasets, tasks, metrics, records.

export { compareRuns } from './app/compare.ts';
export { type EvaluateOptions, type EvaluateResult, evaluate } from './app/evaluate.ts';
export type { TaskInCode } from './app/evaluation-request.ts';
export { loadModel } from './app/load-model.ts';
export { openRun, readPredictions } from './app/open-run.ts';
export { verify } from './app/verify.ts';
export { openWorkspace, type Workspace } from './app/workspace.ts';
export { type ErrorCode, ToolError } from './core/errors.ts';
export type { RunEvent } from './core/events.ts';
export { defaultGenerationSettings, type Generation, type GenerationSettings, type ScoreResult } from './core/generation.ts';
export type { Metric, MetricValue } from './core/metric.ts';
export type { Backend, BackendOptions } from './core/ports/backend.ts';
export type { PredictionRow } from './core/prediction.ts';
export type { Message, Prompt } from './core/prompt.ts';
export { type RunRecord, runRecordSchema } from './core/record.ts';
export { loadDataset } from './datasets/registry.ts';
export { defineMetric } from './metrics/define-metric.ts';
export { listMetrics } from './metrics/registry.ts';
export { renderMarkdown } from './report/markdown/render-markdown.ts';
export { cacheRoot } from './sources/cache-root.ts';
export { defineTask } from './tasks/define-task.ts';
export { extractAnswer } from './tasks/extraction/extract-answer.ts';
export { listTasks } from './tasks/registry.ts';
