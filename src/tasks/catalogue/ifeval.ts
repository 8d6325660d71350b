// IFEval: instructions whose observance a program can check (Zhou et al. 2023).
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';

export const ifevalTasks: readonly CatalogueTask[] = [
  catalogueTask({
    name: 'ifeval',
    title: 'IFEval',
    description: 'Prompts with one to three verifiable instructions; strict and loose, by prompt and by instruction.',
    licence: 'Apache-2.0',
    citation: 'Zhou et al. 2023, Instruction-following evaluation for large language models, arXiv:2311.07911',
    source: 'https://huggingface.co/datasets/google/IFEval',
    groups: ['instruction-following'],
    type: 'text_generation',
    dataset: { name: 'ifeval', split: 'train' },
    kind: 'generate',
    transform: 'ifeval',
    prompt: '{{prompt}}',
    fewShot: { locked: true },
    generation: { maxTokens: 1280 },
    parser: { kind: 'text' },
    extra: { instructions: 'instructions', prompt: 'prompt' },
    graders: ['ifeval'],
    metrics: ['ifeval'],
    primaryMetric: 'ifeval:prompt-strict',
    variants: { lmEval: { task: 'ifeval', version: '4.0', body: { parser: { kind: 'raw' } } } },
  }),
];
