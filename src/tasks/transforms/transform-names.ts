// The closed list of built-in row transforms, apart from their code so that the schema can name them.

export const transformNames = [
  'bbh-options',
  'code-tests',
  'coqa',
  'copa',
  'copa-lm-eval',
  'drop',
  'hellaswag',
  'hellaswag-lm-eval',
  'ifeval',
  'lambada',
  'math',
  'mmlu-pro',
  'squad-answers',
  'truthfulqa-generation',
  'wikitext',
  'winogrande',
] as const;

export type TransformName = (typeof transformNames)[number];
