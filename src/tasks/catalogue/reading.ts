// Questions with short free answers, with and without a passage.
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { shortAnswerMetrics } from './metric-sets.ts';

const brief = 'Answer with a word or a short phrase only.';
const ignoring = { ignoreCase: true, ignorePunctuation: true };

const triviaQa = catalogueTask({
  name: 'trivia-qa',
  title: 'TriviaQA',
  description: 'Trivia questions without context.',
  citation: 'Joshi et al. 2017, TriviaQA, arXiv:1705.03551',
  source: 'https://huggingface.co/datasets/mandarjoshi/trivia_qa',
  groups: ['qa'],
  alsoKnownAs: ['triviaqa', 'trivia_qa'],
  type: 'qa',
  dataset: { name: 'trivia-qa', split: 'validation', fewShotSplit: 'train' },
  kind: 'generate',
  system: brief,
  prompt: 'Question: {{question}}\nAnswer:',
  question: '{{question}}',
  references: 'answer.aliases',
  stop: ['\n\n', 'Question:'],
  generation: { maxTokens: 48 },
  parser: { kind: 'first-line' },
  metrics: shortAnswerMetrics,
  primaryMetric: 'exact_match',
  variants: {
    lmEval: {
      task: 'triviaqa',
      version: '3.0',
      body: {
        system: null,
        prompt: 'Question: {{question}}?\nAnswer:',
        fewShot: { drawsOneMore: true },
        stop: ['\n', '.', ','],
        generation: { maxTokens: 256 },
        metrics: [{ name: 'exact_match', options: ignoring }],
      },
    },
  },
});

const nqOpen = catalogueTask({
  name: 'nq-open',
  title: 'Natural Questions, open',
  description: 'Real search questions without context.',
  licence: 'CC-BY-SA-3.0',
  citation: 'Kwiatkowski et al. 2019; Lee et al. 2019 for the open form',
  source: 'https://huggingface.co/datasets/google-research-datasets/nq_open',
  groups: ['qa'],
  alsoKnownAs: ['nq_open', 'nq'],
  type: 'qa',
  dataset: { name: 'nq-open', split: 'validation', fewShotSplit: 'train' },
  kind: 'generate',
  system: brief,
  prompt: 'Q: {{question}}?\nA:',
  question: '{{question}}',
  references: 'answer',
  stop: ['\n\n', 'Q:'],
  generation: { maxTokens: 48 },
  parser: { kind: 'first-line' },
  metrics: shortAnswerMetrics,
  primaryMetric: 'exact_match',
  variants: {
    lmEval: {
      task: 'nq_open',
      version: '4.0',
      body: {
        system: null,
        preamble: 'Answer these questions:\n\n',
        fewShot: { drawsOneMore: true, delimiter: '\n' },
        stop: ['\n', '.', ','],
        generation: { maxTokens: 256 },
        metrics: [{ name: 'exact_match', options: { ...ignoring, regexesToIgnore: ['\\b(?:The |the |An |A |The |a |an )'] } }],
      },
    },
  },
});

const squad = catalogueTask({
  name: 'squad',
  title: 'SQuAD 1.1',
  description: 'Questions whose answer is a span of a passage.',
  licence: 'CC-BY-SA-4.0',
  citation: 'Rajpurkar et al. 2016, SQuAD, arXiv:1606.05250',
  source: 'https://huggingface.co/datasets/rajpurkar/squad',
  groups: ['qa'],
  type: 'qa',
  dataset: { name: 'squad', split: 'validation', fewShotSplit: 'train' },
  cluster: 'context',
  kind: 'generate',
  transform: 'squad-answers',
  system: 'Answer with words copied from the passage only.',
  prompt: 'Background: {{context}}\n\nQuestion: {{question}}\n\nAnswer:',
  question: '{{context}}\n{{question}}',
  references: 'accepted',
  stop: ['\n\n', 'Question:', 'Background:'],
  generation: { maxTokens: 64 },
  parser: { kind: 'first-line' },
  metrics: ['exact_match', 'token_f1'],
  primaryMetric: 'token_f1',
});

const drop = catalogueTask({
  name: 'drop',
  title: 'DROP',
  description: 'Questions that need counting, sorting or arithmetic over a passage.',
  licence: 'CC-BY-SA-4.0',
  citation: 'Dua et al. 2019, DROP, arXiv:1903.00161',
  source: 'https://huggingface.co/datasets/EleutherAI/drop',
  groups: ['qa'],
  type: 'qa',
  dataset: { name: 'drop', split: 'validation', fewShotSplit: 'train' },
  cluster: 'passage',
  kind: 'generate',
  transform: 'drop',
  system: 'Answer with a number, a date or words from the passage only.',
  prompt: 'Passage: {{passage}}\nQuestion: {{question}}\nAnswer:',
  question: '{{passage}}\n{{question}}',
  references: 'accepted',
  stop: ['\n\n', 'Passage:', 'Question:'],
  generation: { maxTokens: 64 },
  parser: { kind: 'first-line' },
  metrics: ['drop_em', 'drop_f1'],
  primaryMetric: 'drop_f1',
  variants: {
    lmEval: {
      task: 'drop',
      version: '3.0',
      body: {
        system: null,
        prompt: '{{passage}} {{question}}',
        targetDelimiter: '',
        // Its shots show the member names of the answer object instead of an answer.
        fewShot: { drawsOneMore: true, target: '{{answer_keys}}' },
        stop: ['.'],
        generation: { maxTokens: 256 },
        parser: { kind: 'raw' },
      },
    },
  },
});

const coqa = catalogueTask({
  name: 'coqa',
  title: 'CoQA',
  description: 'The last question of a conversation about a story.',
  licence: 'mixed, see source',
  citation: 'Reddy et al. 2019, CoQA, arXiv:1808.07042',
  source: 'https://huggingface.co/datasets/EleutherAI/coqa',
  groups: ['qa'],
  type: 'qa',
  dataset: { name: 'coqa', split: 'validation', fewShotSplit: 'train' },
  kind: 'generate',
  transform: 'coqa',
  prompt: '{{dialogue}}',
  references: 'accepted',
  stop: ['\nQ:'],
  generation: { maxTokens: 64 },
  parser: { kind: 'first-line' },
  metrics: ['exact_match', 'token_f1'],
  primaryMetric: 'token_f1',
  variants: { lmEval: { task: 'coqa', version: '3.0', body: { fewShot: { drawsOneMore: true }, generation: { maxTokens: 256 } } } },
});

export const readingTasks: readonly CatalogueTask[] = [triviaQa, nqOpen, squad, drop, coqa];
