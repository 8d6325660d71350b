// Datasets that are published as one file for each part (a subtask, a language); the part becomes a column.
import type { DatasetInfo } from '../../core/dataset.ts';
import type { CatalogueEntry } from './entry.ts';
import { converted, hub } from './sources.ts';

interface PartedDataset {
  readonly info: DatasetInfo;
  readonly repository: string;
  readonly splits: readonly string[];
  readonly column: string;
  readonly parts: readonly string[];
}

function byPart({ info, repository, splits, column, parts }: PartedDataset): CatalogueEntry {
  return {
    info,
    configs: parts,
    splits: (config) => {
      const chosen = config === undefined ? parts : [config];
      const source = (split: string) => ({
        ...hub(
          `${repository}@${converted}`,
          chosen.map((part) => `${part}/${split}/0000.parquet`),
        ),
        column: { name: column, values: chosen },
      });
      return Object.fromEntries(splits.map((split) => [split, { sources: [source(split)] }]));
    },
  };
}

const bbhSubtasks =
  `boolean_expressions causal_judgement date_understanding disambiguation_qa dyck_languages formal_fallacies geometric_shapes
hyperbaton logical_deduction_five_objects logical_deduction_seven_objects logical_deduction_three_objects movie_recommendation
multistep_arithmetic_two navigate object_counting penguins_in_a_table reasoning_about_colored_objects ruin_names
salient_translation_error_detection snarks sports_understanding temporal_sequences tracking_shuffled_objects_five_objects
tracking_shuffled_objects_seven_objects tracking_shuffled_objects_three_objects web_of_lies word_sorting`.split(/\s+/);

export const datasetsByPart: readonly CatalogueEntry[] = [
  byPart({
    info: {
      name: 'bbh',
      title: 'BIG-bench Hard',
      description: '27 reasoning subtasks (column `subtask`); `bbh:SUBTASK` is one of them.',
      licence: { name: 'MIT', url: 'https://huggingface.co/datasets/lukaemon/bbh', redistributable: true },
      citation: 'Suzgun et al. 2022, Challenging BIG-bench tasks and whether chain-of-thought can solve them, arXiv:2210.09261',
    },
    repository: 'lukaemon/bbh',
    splits: ['test'],
    column: 'subtask',
    parts: bbhSubtasks,
  }),
  byPart({
    info: {
      name: 'mgsm',
      title: 'MGSM',
      description: 'School word problems in eleven languages (column `language`); `mgsm:de` is one of them.',
      licence: { name: 'CC-BY-SA-4.0', url: 'https://huggingface.co/datasets/juletxara/mgsm', redistributable: true },
      citation: 'Shi et al. 2022, Language models are multilingual chain-of-thought reasoners, arXiv:2210.03057',
    },
    repository: 'juletxara/mgsm',
    splits: ['train', 'test'],
    column: 'language',
    parts: ['bn', 'de', 'en', 'es', 'fr', 'ja', 'ru', 'sw', 'te', 'th', 'zh'],
  }),
];
