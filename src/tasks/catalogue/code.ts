// Programs that must pass tests, run in a sandbox.
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { completedCode } from './completed-code.ts';
import { mbppShots } from './mbpp-shots.ts';
import { codeMetrics } from './metric-sets.ts';

const humanEval = catalogueTask({
  name: 'humaneval',
  title: 'HumanEval',
  description: 'Python functions from signature and docstring, judged by unit tests.',
  licence: 'MIT',
  citation: 'Chen et al. 2021, Evaluating large language models trained on code, arXiv:2107.03374',
  source: 'https://huggingface.co/datasets/openai/openai_humaneval',
  groups: ['code'],
  type: 'code',
  dataset: { name: 'humaneval', split: 'test' },
  kind: 'generate',
  transform: 'code-tests',
  prompt: '{{prompt}}',
  stop: ['\nclass', '\n#', '\nif __name__', '\nprint'],
  generation: { maxTokens: 1024 },
  parser: { kind: 'code', language: 'python' },
  assemble: completedCode,
  extra: { tests: 'program_tests', entryPoint: 'entry_point' },
  graders: ['code-python'],
  metrics: codeMetrics,
  primaryMetric: 'pass@k:k=1',
  fewShot: { locked: true },
  variants: {
    lmEval: {
      task: 'humaneval',
      version: '1.0',
      body: { stop: ['\nclass', '\ndef', '\n#', '\nif', '\nprint'], parser: { kind: 'raw' }, assemble: '{{prompt}}{{answer}}' },
    },
  },
});

const mbpp = catalogueTask({
  name: 'mbpp',
  title: 'MBPP',
  description: 'Short Python programs from a sentence and three asserts.',
  licence: 'CC-BY-4.0',
  citation: 'Austin et al. 2021, Program synthesis with large language models, arXiv:2108.07732',
  source: 'https://huggingface.co/datasets/google-research-datasets/mbpp',
  groups: ['code'],
  type: 'code',
  dataset: { name: 'mbpp', split: 'test' },
  kind: 'generate',
  transform: 'code-tests',
  prompt:
    'You are an expert Python programmer, and here is your task: {{text}} Your code should pass these tests:\n\n' +
    '{{test_list[0]}}\n{{test_list[1]}}\n{{test_list[2]}}\n[BEGIN]\n',
  targetDelimiter: '',
  fewShot: { count: 3, sampler: 'first', samples: mbppShots, target: '{{code}}\n[DONE]' },
  stop: ['[DONE]'],
  generation: { maxTokens: 512 },
  parser: { kind: 'code', language: 'python' },
  extra: { tests: 'program_tests', entryPoint: 'entry_point' },
  graders: ['code-python'],
  metrics: codeMetrics,
  primaryMetric: 'pass@k:k=1',
  variants: { lmEval: { task: 'mbpp', version: '1.0', body: { generation: { maxTokens: 256 }, parser: { kind: 'raw' } } } },
});

export const codeTasks: readonly CatalogueTask[] = [humanEval, mbpp];
