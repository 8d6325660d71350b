// A label that the clause denies, doubts or compares away is not the label of the text.
import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';

const label = { kind: 'label', labels: ['positive', 'negative', 'neutral'] } as const;

describe('a denied label is not given', () => {
  it.each([
    "I don't think it is negative",
    "I don't believe this is positive.",
    'I am not sure that it is negative',
    'anything but positive',
    'Sentiment: anything but neutral',
    'far from positive',
    'hardly positive',
    'not at all positive',
    "This can't be negative",
    'the opposite of positive',
    'It would be wrong to call this positive',
    'It would be a mistake to label this negative',
    'It is unlikely that the sentiment is neutral',
    'I doubt that it is positive',
    'I would not call this negative',
    'The wrong label is positive',
    'less positive than negative',
  ])('%j gives none', (text) => expect(extractAnswer(text, label)).toMatchObject({ value: null, reason: 'out-of-set' }));
  it.each([
    ["I don't think it is negative, it is positive", 'positive'],
    ["I don't think it is negative but positive", 'positive'],
    ['No doubt it is positive', 'positive'],
    ['more positive than negative', 'positive'],
    ['positive rather than negative', 'positive'],
  ])('%j gives %s', (text, value) => expect(extractAnswer(text, label).value).toBe(value));
});
