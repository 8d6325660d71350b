// All named datasets that are fetched, with their pinned content where it has been checked.
import { datasetsByPart } from './by-part.ts';
import { classification } from './classification.ts';
import type { CatalogueEntry, CatalogueSplit } from './entry.ts';
import { generation } from './generation.ts';
import { multipleChoice } from './multiple-choice.ts';
import { pinnedManifests } from './pinned-manifests.ts';

function pinned(entry: CatalogueEntry): CatalogueEntry {
  const pin =
    (config: string | undefined) =>
    ([split, value]: [string, CatalogueSplit]) => {
      const key = `${entry.info.name}${config === undefined ? '' : `:${config}`}/${split}`;
      const manifest = pinnedManifests[key];
      return [split, manifest === undefined ? value : { ...value, manifest }] as const;
    };
  const info = { ...entry.info, homepage: entry.info.homepage ?? entry.info.licence.url };
  return { ...entry, info, splits: (config) => Object.fromEntries(Object.entries(entry.splits(config)).map(pin(config))) };
}

/** Fetched datasets by name, multiple choice first. */
export const catalogue: readonly CatalogueEntry[] = [...multipleChoice, ...classification, ...generation, ...datasetsByPart].map(pinned);

/** Other names that people type. */
export const datasetAliases: Readonly<Record<string, string>> = {
  arc_easy: 'arc-easy',
  arc_challenge: 'arc-challenge',
  commonsense_qa: 'commonsense-qa',
  csqa: 'commonsense-qa',
  social_iqa: 'social-iqa',
  triviaqa: 'trivia-qa',
  nq_open: 'nq-open',
  squad_v2: 'squad-v2',
  ag_news: 'ag-news',
  fpb: 'financial-phrasebank',
  'sst-2': 'sst2',
  math500: 'math-500',
  cnn_dailymail: 'cnn-dailymail',
  wikitext: 'wikitext-2',
};
