// Plain prediction of text: the last word of a passage, and whole pages.
import { type CatalogueTask, catalogueTask } from './catalogue-task.ts';
import { perplexityMetrics } from './metric-sets.ts';

export const languageModellingTasks: readonly CatalogueTask[] = [
  catalogueTask({
    name: 'lambada',
    title: 'LAMBADA (OpenAI)',
    description: 'The last word of a passage that needs all of it; right when greedy decoding writes it.',
    licence: 'CC-BY-4.0',
    citation: 'Paperno et al. 2016, LAMBADA, arXiv:1606.06031',
    source: 'https://huggingface.co/datasets/EleutherAI/lambada_openai',
    groups: ['language-modelling'],
    alsoKnownAs: ['lambada_openai'],
    type: 'language_modelling',
    dataset: { name: 'lambada', split: 'test' },
    kind: 'choose',
    transform: 'lambada',
    prompt: '{{context}}',
    choices: ['{{last}}'],
    gold: { fixed: 0 },
    metrics: ['acc_greedy', 'perplexity'],
    primaryMetric: 'acc_greedy',
    // lm-eval's continuation brings its own space, also after a chat template.
    variants: { lmEval: { task: 'lambada_openai', version: '1.0', body: { choices: [' {{last}}'], targetDelimiter: '' } } },
  }),
  catalogueTask({
    name: 'wikitext-2',
    title: 'WikiText-2',
    description: 'Perplexity of Wikipedia pages; word and byte counts are those of the original pages.',
    licence: 'CC-BY-SA-3.0',
    citation: 'Merity et al. 2016, Pointer sentinel mixture models, arXiv:1609.07843',
    source: 'https://huggingface.co/datasets/EleutherAI/wikitext_document_level',
    groups: ['language-modelling'],
    alsoKnownAs: ['wikitext', 'wikitext2'],
    type: 'language_modelling',
    dataset: { name: 'wikitext-2', split: 'test' },
    kind: 'perplexity',
    transform: 'wikitext',
    prompt: '{{text}}',
    target: '{{page}}',
    metrics: perplexityMetrics,
    primaryMetric: 'word_perplexity',
    variants: { lmEval: { task: 'wikitext', version: '2.0' } },
  }),
];
