// The suites that ship with the package: written for it, MIT, each item checked by hand or by a script.
import type { DatasetInfo } from '../../core/dataset.ts';

export interface BuiltinSuite {
  readonly info: DatasetInfo;
  /** File under `data/builtin/`. */
  readonly file: string;
  readonly split: string;
}

function suite(name: string, title: string, description: string, split = 'test'): BuiltinSuite {
  const licence = { name: 'MIT', redistributable: true };
  return { info: { name, title, description, licence, version: '1' }, file: `${name}.jsonl`, split };
}

export const builtinSuites: readonly BuiltinSuite[] = [
  suite('mmlu-mini', 'Knowledge (built in)', 'General knowledge by category: question, choices[4], answer (index), category.'),
  suite('commonsense-mini', 'Common sense (built in)', 'Everyday situations: question, choices[4], answer (index), category.'),
  suite('coding-mini', 'Coding (built in)', 'Python functions to write: prompt, entry_point, test, canonical_solution, category.'),
  suite(
    'javascript-mini',
    'JavaScript (built in)',
    'JavaScript functions to write: prompt, entry_point, test_list, canonical_solution, category.',
  ),
  suite('sentiment-mini', 'Sentiment (built in)', 'Short opinions: text, label (negative, neutral, positive), category.'),
  suite('qa-mini', 'Question answering (built in)', 'Short answers: context, question, answers[], category.'),
  suite('summarisation-mini', 'Summaries (built in)', 'Short reports: document, summary, category.'),
  suite('intents', 'Intents (built in)', 'Requests to a home assistant in 8 classes, for training a specialist: text, label.', 'train'),
];
