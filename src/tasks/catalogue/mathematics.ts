// Word problems and competition mathematics.
import type { TaskDefinitionInput } from '../task-definition.ts';
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { mathShots } from './math-shots.ts';
import { numberMetrics } from './metric-sets.ts';
import { mgsmTask } from './mgsm.ts';

const stops = ['Question:', '</s>', '<|im_end|>'];
const exactNumber = {
  name: 'exact_match',
  options: { ignoreCase: true, ignorePunctuation: false, regexesToIgnore: [',', '\\$', '(?s).*#### ', '\\.$'] },
};

const gsm8k: TaskDefinitionInput = {
  name: 'gsm8k',
  title: 'GSM8K',
  description: 'Grade-school word problems solved in steps; the last number of the answer counts.',
  licence: 'MIT',
  citation: 'Cobbe et al. 2021, Training verifiers to solve math word problems, arXiv:2110.14168',
  source: 'https://huggingface.co/datasets/openai/gsm8k',
  groups: ['math', 'open-llm'],
  type: 'qa',
  dataset: { name: 'gsm8k', split: 'test', fewShotSplit: 'train' },
  kind: 'generate',
  prompt: 'Question: {{question}}\nAnswer:',
  question: '{{question}}',
  target: "{{ answer.split('####')[-1].strip() }}",
  fewShot: { count: 5, target: '{{answer}}' },
  stop: stops,
  generation: { maxTokens: 512 },
  parser: { kind: 'number' },
  metrics: numberMetrics,
  primaryMetric: 'numeric',
};

function gsm8kLmEval(parser: 'gsm8k-flexible' | 'gsm8k-strict'): NonNullable<TaskDefinitionInput['variants']> {
  return {
    lmEval: {
      task: 'gsm8k',
      version: '3.0',
      body: {
        target: '{{answer}}',
        generation: { maxTokens: 256 },
        parser: { kind: parser },
        metrics: [exactNumber],
        primaryMetric: 'exact_match',
      },
    },
  };
}

const math500 = catalogueTask({
  name: 'math-500',
  title: 'MATH-500',
  description: '500 competition problems; the boxed final answer counts, equal forms accepted.',
  licence: 'MIT',
  citation: 'Hendrycks et al. 2021, MATH, arXiv:2103.03874; Lightman et al. 2023 for the 500',
  source: 'https://huggingface.co/datasets/HuggingFaceH4/MATH-500',
  groups: ['math'],
  alsoKnownAs: ['math500', 'minerva_math500'],
  type: 'qa',
  dataset: { name: 'math-500', split: 'test' },
  kind: 'generate',
  transform: 'math',
  prompt: 'Problem:\n{{problem}}\n\nSolution:',
  question: '{{problem}}',
  target: '{{final}}',
  fewShot: { count: 4, sampler: 'first', samples: mathShots, target: '{{solution}}' },
  stop: ['Problem:'],
  generation: { maxTokens: 1024 },
  parser: { kind: 'math' },
  metrics: ['math_equal'],
  primaryMetric: 'math_equal',
  variants: { lmEval: { task: 'minerva_math500', version: '3.1', body: { generation: { maxTokens: 256 } } } },
});

const svamp = catalogueTask({
  name: 'svamp',
  title: 'SVAMP',
  description: 'Elementary word problems with changed wording; the answer is one number.',
  licence: 'MIT',
  citation: 'Patel et al. 2021, Are NLP models really able to solve simple math word problems?, arXiv:2103.07191',
  source: 'https://huggingface.co/datasets/ChilleD/SVAMP',
  groups: ['math'],
  type: 'qa',
  dataset: { name: 'svamp', split: 'test', fewShotSplit: 'train' },
  kind: 'generate',
  prompt: 'Question: {{Body}} {{Question}}\nAnswer:',
  question: '{{Body}} {{Question}}',
  target: '{{Answer}}',
  stop: stops,
  parser: { kind: 'number' },
  metrics: numberMetrics,
  primaryMetric: 'numeric',
});

export const mathematicsTasks: readonly CatalogueTask[] = [
  catalogueTask({ ...gsm8k, variants: gsm8kLmEval('gsm8k-flexible') }),
  catalogueTask({
    ...gsm8k,
    name: 'gsm8k-strict',
    title: 'GSM8K, strict format',
    description: 'Like gsm8k, but only an answer in the form "#### number" counts.',
    groups: ['math'],
    parser: { kind: 'gsm8k-strict' },
    variants: gsm8kLmEval('gsm8k-strict'),
  }),
  math500,
  mgsmTask,
  svamp,
];
