// MGSM: GSM8K problems in ten more languages (Shi et al. 2022).
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { numberMetrics } from './metric-sets.ts';

/** Words that open a question and an answer; several languages keep the English answer word, as lm-eval does. */
const words: Readonly<Record<string, readonly [question: string, answer: string]>> = {
  bn: ['প্রশ্ন: ', 'Answer:'],
  de: ['Frage: ', 'Antwort:'],
  en: ['Question: ', 'Answer:'],
  es: ['Pregunta: ', 'Respuesta:'],
  fr: ['Question : ', 'Réponse :'],
  ja: ['問題： ', 'Answer:'],
  ru: ['Задача: ', 'Answer:'],
  sw: ['Swali: ', 'Answer:'],
  te: ['ప్రశ్న: ', 'Answer:'],
  th: ['โจทย์: ', 'Answer:'],
  zh: ['问题： ', 'Answer:'],
};

const table = Object.entries(words)
  .map(([language, [question, answer]]) => `'${language}': ['${question}', '${answer}']`)
  .join(', ');

/** Rows with a worked answer bring their own question word. */
const prompt =
  `{% set words = {${table}} %}{% if answer is not none %}{{ question }}{% else %}{{ words[language][0] }}{{ question }}{% endif %}` +
  '\n{{ words[language][1] }}';

export const mgsmTask: CatalogueTask = catalogueTask({
  name: 'mgsm',
  title: 'MGSM',
  description: 'Grade-school word problems in eleven languages; the answer is one number.',
  licence: 'CC-BY-SA-4.0',
  citation: 'Shi et al. 2022, Language models are multilingual chain-of-thought reasoners, arXiv:2210.03057',
  source: 'https://huggingface.co/datasets/juletxara/mgsm',
  groups: ['math'],
  type: 'qa',
  dataset: { name: 'mgsm', split: 'test', fewShotSplit: 'train' },
  category: 'language',
  kind: 'generate',
  prompt,
  target: '{{ answer_number | string }}',
  targetDelimiter: ' ',
  fewShot: { perCategory: true, target: '{{ answer if answer is not none else answer_number }}' },
  stop: ['</s>', '<|im_end|>', ...new Set(Object.values(words).map(([question]) => question.trim()))],
  parser: { kind: 'number' },
  metrics: numberMetrics,
  primaryMetric: 'numeric',
  variants: {
    lmEval: {
      task: 'mgsm_direct_{category}',
      version: '4.0',
      body: {
        targetDelimiter: '',
        fewShot: { perCategory: true, target: '{{ answer_number | string }}' },
        parser: { kind: 'gsm8k-flexible' },
        metrics: [{ name: 'exact_match', options: { ignoreCase: true, ignorePunctuation: true } }],
        primaryMetric: 'exact_match',
      },
    },
  },
});
