// GLUE and SuperGLUE tasks as sentence classification or choice (Wang et al. 2018, 2019).
import type { TaskDefinitionInput } from '../task-definition.ts';
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { chosenClassMetrics, letterMetrics } from './metric-sets.ts';

const glue: Pick<TaskDefinitionInput, 'citation' | 'source' | 'groups' | 'kind' | 'type' | 'gold' | 'metrics' | 'primaryMetric'> = {
  citation: 'Wang et al. 2018, GLUE, arXiv:1804.07461',
  source: 'https://huggingface.co/datasets/nyu-mll/glue',
  groups: ['glue'],
  kind: 'choose',
  type: 'classification',
  gold: { column: 'label' },
  metrics: chosenClassMetrics,
  primaryMetric: 'acc',
};
const superGlue = {
  ...glue,
  citation: 'Wang et al. 2019, SuperGLUE, arXiv:1905.00537',
  source: 'https://huggingface.co/datasets/aps/super_glue',
  groups: ['super-glue'],
};
const oneMore = { fewShot: { drawsOneMore: true } };

export const glueTasks: readonly CatalogueTask[] = [
  catalogueTask({
    ...glue,
    name: 'sst2',
    title: 'SST-2',
    description: 'Sentiment of film review sentences: negative or positive.',
    groups: ['glue', 'quick'],
    alsoKnownAs: ['sst-2'],
    dataset: { name: 'sst2', split: 'validation', fewShotSplit: 'train' },
    prompt: '{{sentence}}\nQuestion: Is this sentence positive or negative?\nAnswer:',
    question: 'Is this sentence positive or negative?\n{{sentence}}',
    choices: ['negative', 'positive'],
    variants: { lmEval: { task: 'sst2', version: '1.0', body: oneMore } },
  }),
  catalogueTask({
    ...glue,
    name: 'rte',
    title: 'RTE',
    description: 'Whether a sentence follows from another.',
    dataset: { name: 'rte', split: 'validation', fewShotSplit: 'train' },
    prompt: '{{sentence1}}\nQuestion: {{sentence2}} True or False?\nAnswer:',
    choices: ['True', 'False'],
    variants: { lmEval: { task: 'rte', version: '1.0', body: oneMore } },
  }),
  catalogueTask({
    ...glue,
    name: 'mrpc',
    title: 'MRPC',
    description: 'Whether two sentences mean the same.',
    dataset: { name: 'mrpc', split: 'validation', fewShotSplit: 'train' },
    prompt: 'Sentence 1: {{sentence1}}\nSentence 2: {{sentence2}}\nQuestion: Do both sentences mean the same thing?\nAnswer:',
    choices: ['no', 'yes'],
    variants: { lmEval: { task: 'mrpc', version: '1.0', body: oneMore } },
  }),
  catalogueTask({
    ...superGlue,
    name: 'boolq',
    title: 'BoolQ',
    description: 'Yes-or-no questions about a passage.',
    licence: 'CC-BY-SA-3.0',
    citation: 'Clark et al. 2019, BoolQ, arXiv:1905.10044',
    dataset: { name: 'boolq', split: 'validation', fewShotSplit: 'train' },
    prompt: '{{passage}}\nQuestion: {{question}}?\nAnswer:',
    choices: ['no', 'yes'],
    gold: { column: 'answer' },
    cluster: 'passage',
    variants: { lmEval: { task: 'boolq', version: '2.0', body: oneMore } },
  }),
  catalogueTask({
    ...superGlue,
    name: 'cb',
    title: 'CommitmentBank',
    description: 'Whether a speaker is committed to a clause: true, false or neither.',
    dataset: { name: 'cb', split: 'validation', fewShotSplit: 'train' },
    prompt: '{{premise}}\nQuestion: {{hypothesis}}. True, False, or Neither?\nAnswer:',
    choices: ['True', 'False', 'Neither'],
    variants: { lmEval: { task: 'cb', version: '1.0', body: oneMore } },
  }),
  catalogueTask({
    ...superGlue,
    name: 'copa',
    title: 'COPA',
    description: 'The more plausible cause or effect of a premise.',
    licence: 'BSD-2-Clause',
    citation: 'Roemmele et al. 2011, Choice of plausible alternatives',
    type: 'multiple_choice',
    dataset: { name: 'copa', split: 'validation', fewShotSplit: 'train' },
    transform: 'copa',
    prompt: '{{query}}',
    choices: 'choices',
    metrics: letterMetrics,
    variants: { lmEval: { task: 'copa', version: '1.0', body: { transform: 'copa-lm-eval', ...oneMore } } },
  }),
];
