// Which metrics a kind of task reports, so that all tasks of a kind are comparable.
import type { TaskDefinitionInput } from '../task-definition.ts';

type Metrics = TaskDefinitionInput['metrics'];

/** Log-likelihood multiple choice: always all three normalisations. */
export const choiceMetrics: Metrics = ['acc', 'acc_norm', 'acc_bytes'];
export const letterMetrics: Metrics = ['acc'];
export const classMetrics: Metrics = ['accuracy', 'f1', 'mcc'];
/** Classes chosen by log-likelihood, where ties are possible. */
export const chosenClassMetrics: Metrics = ['acc', 'f1', 'mcc'];
export const numberMetrics: Metrics = ['numeric'];
export const shortAnswerMetrics: Metrics = ['exact_match', 'token_f1', 'contains'];
export const summaryMetrics: Metrics = ['rouge_1', 'rouge_2', 'rouge_l'];
export const codeMetrics: Metrics = ['pass@k'];
export const perplexityMetrics: Metrics = ['word_perplexity', 'byte_perplexity', 'bits_per_byte', 'token_perplexity'];
