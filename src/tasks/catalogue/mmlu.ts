// MMLU and MMLU-Pro: knowledge questions over many subjects (Hendrycks et al. 2021; Wang et al. 2024).
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { letterMetrics } from './metric-sets.ts';

const about = "The following are multiple choice questions (with answers) about {{ %s | replace('_', ' ') }}.";

export const mmluTasks: readonly CatalogueTask[] = [
  catalogueTask({
    name: 'mmlu',
    title: 'MMLU',
    description: 'Knowledge questions over 57 subjects, four options; the letter is scored.',
    licence: 'MIT',
    citation: 'Hendrycks et al. 2021, Measuring massive multitask language understanding, arXiv:2009.03300',
    source: 'https://huggingface.co/datasets/cais/mmlu',
    groups: ['knowledge', 'open-llm'],
    type: 'multiple_choice',
    dataset: { name: 'mmlu', split: 'test', fewShotSplit: 'dev' },
    category: 'subject',
    kind: 'choose',
    preamble: `${about.replace('%s', 'subject')}\n\n`,
    prompt: '{{question.strip()}}\nA. {{choices[0]}}\nB. {{choices[1]}}\nC. {{choices[2]}}\nD. {{choices[3]}}\nAnswer:',
    question: '{{question.strip()}}',
    choices: 'choices',
    score: 'letter',
    gold: { column: 'answer' },
    fewShot: { sampler: 'first', perCategory: true },
    metrics: letterMetrics,
    primaryMetric: 'acc',
    variants: { lmEval: { task: 'mmlu_{category}', version: '1.0' } },
  }),
  catalogueTask({
    name: 'mmlu-pro',
    title: 'MMLU-Pro',
    description: 'Harder knowledge and reasoning questions over 14 fields, up to ten options, answered after reasoning in steps.',
    licence: 'MIT',
    citation: 'Wang et al. 2024, MMLU-Pro, arXiv:2406.01574',
    source: 'https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro',
    groups: ['knowledge'],
    alsoKnownAs: ['mmlu_pro'],
    type: 'multiple_choice',
    dataset: { name: 'mmlu-pro', split: 'test', fewShotSplit: 'validation' },
    category: 'category',
    kind: 'generate',
    transform: 'mmlu-pro',
    preamble:
      'The following are multiple choice questions (with answers) about {{ category }}. Think step by step and then finish your answer ' +
      'with "the answer is (X)" where X is the correct letter choice.\n',
    prompt: "Question:\n{{question}}\nOptions:\n{{listing}}Answer: Let's think step by step.",
    choices: 'options',
    gold: { column: 'answer', as: 'label' },
    fewShot: { count: 5, sampler: 'first', perCategory: true, target: '{{reasoning}}' },
    stop: ['Question:'],
    generation: { maxTokens: 2048 },
    parser: { kind: 'choice' },
    metrics: letterMetrics,
    primaryMetric: 'acc',
    variants: {
      lmEval: {
        task: 'mmlu_pro_{category}',
        version: '3.1',
        body: {
          parser: { kind: 'regex', pattern: 'answer is \\(?([ABCDEFGHIJ])\\)?', group: 1, which: 'first' },
          choices: null,
          gold: null,
          target: '{{answer}}',
          metrics: [{ name: 'exact_match', options: { ignoreCase: true, ignorePunctuation: true } }],
          primaryMetric: 'exact_match',
        },
      },
    },
  }),
];
