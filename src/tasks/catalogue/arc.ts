// ARC: grade-school science questions (Clark et al. 2018).
import type { TaskDefinitionInput } from '../task-definition.ts';
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { choiceMetrics } from './metric-sets.ts';

const shared: Omit<TaskDefinitionInput, 'name' | 'title' | 'description' | 'dataset' | 'variants'> = {
  licence: 'CC-BY-SA-4.0',
  citation: 'Clark et al. 2018, Think you have solved question answering? Try ARC, arXiv:1803.05457',
  source: 'https://huggingface.co/datasets/allenai/ai2_arc',
  type: 'multiple_choice',
  kind: 'choose',
  prompt: 'Question: {{question}}\nAnswer:',
  question: '{{question}}',
  choices: 'choices.text',
  gold: { column: 'answerKey', labels: 'choices.label' },
  metrics: choiceMetrics,
  primaryMetric: 'acc_norm',
};

export const arcTasks: readonly CatalogueTask[] = [
  catalogueTask({
    ...shared,
    name: 'arc-easy',
    title: 'ARC-Easy',
    description: 'Science questions of grade 3 to 9 that simple retrieval can answer, 3 to 5 options.',
    groups: ['commonsense', 'quick'],
    alsoKnownAs: ['arc_easy', 'arc-e'],
    dataset: { name: 'arc-easy', split: 'test', fewShotSplit: 'train' },
    variants: { lmEval: { task: 'arc_easy', version: '1.0' } },
  }),
  catalogueTask({
    ...shared,
    name: 'arc-challenge',
    title: 'ARC-Challenge',
    description: 'Science questions that retrieval and co-occurrence methods get wrong, 3 to 5 options.',
    groups: ['commonsense', 'open-llm'],
    alsoKnownAs: ['arc_challenge', 'arc-c'],
    dataset: { name: 'arc-challenge', split: 'test', fewShotSplit: 'train' },
    variants: { lmEval: { task: 'arc_challenge', version: '1.0' } },
  }),
];
