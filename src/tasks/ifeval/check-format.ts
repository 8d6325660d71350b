// IFEval: layout, wrapping and fixed phrases.
import { strip } from '../../metrics/text/python-text.ts';
import { countHits, splitBy } from './check-words.ts';
import { type Checker, numberArgument, textArgument } from './instruction.ts';
import { isPythonJson } from './python-json.ts';

const constrainedResponses = ['My answer is yes.', 'My answer is no.', 'My answer is maybe.'];

const placeholders: Checker = (response, args) => {
  const wanted = numberArgument(args, 'num_placeholders');
  return wanted === null ? null : countHits(response, '\\[.*?\\]') >= wanted;
};

const postscript: Checker = (response, args) => {
  const marker = textArgument(args, 'postscript_marker');
  if (marker === null) return null;
  const patterns: Readonly<Record<string, string>> = { 'P.P.S': '\\s*p\\.\\s?p\\.\\s?s.*$', 'P.S.': '\\s*p\\.\\s?s\\..*$' };
  const bare = strip(marker);
  const pattern = patterns[bare] ?? `\\s*${bare.toLowerCase()}.*$`;
  return countHits(response.toLowerCase(), `(?m)${pattern}`) > 0;
};

const bullets: Checker = (response, args) => {
  const wanted = numberArgument(args, 'num_bullets');
  if (wanted === null) return null;
  return countHits(response, '(?m)^\\s*\\*[^\\*].*$') + countHits(response, '(?m)^\\s*-.*$') === wanted;
};

const constrained: Checker = (response) => constrainedResponses.some((fixed) => response.includes(fixed));

/** Emphasis in double asterisks is found by both patterns, and so counts through both. */
const highlights: Checker = (response, args) => {
  const wanted = numberArgument(args, 'num_highlights');
  if (wanted === null) return null;
  const single = response.match(/\*[^\n*]*\*/gu) ?? [];
  const double = response.match(/\*\*[^\n*]*\*\*/gu) ?? [];
  const filled = [...single, ...double].filter((text) => strip(text.replace(/^\*+|\*+$/gu, '')) !== '');
  return filled.length >= wanted;
};

const sections: Checker = (response, args) => {
  const splitter = textArgument(args, 'section_spliter');
  const wanted = numberArgument(args, 'num_sections');
  if (splitter === null || wanted === null) return null;
  return splitBy(response, `\\s?${strip(splitter)}\\s?\\d+\\s?`).length - 1 >= wanted;
};

const json: Checker = (response) => {
  const opened = ['```json', '```Json', '```JSON', '```'].reduce(
    (text, fence) => (text.startsWith(fence) ? text.slice(fence.length) : text),
    strip(response),
  );
  return isPythonJson(strip(opened.endsWith('```') ? opened.slice(0, -3) : opened));
};

const title: Checker = (response) =>
  (response.match(/<<[^\n]+>>/gu) ?? []).some((text) => strip(text.replace(/^<+/u, '').replace(/>+$/u, '')) !== '');

const twoResponses: Checker = (response) => {
  const pieces = response.split('******');
  if (pieces.slice(1, -1).some((piece) => strip(piece) === '')) return false;
  const filled = pieces.map(strip).filter((piece) => piece !== '');
  return filled.length === 2 && filled[0] !== filled[1];
};

const repeatPrompt: Checker = (response, args) => {
  const wanted = textArgument(args, 'prompt_to_repeat');
  return wanted === null ? null : strip(response).toLowerCase().startsWith(strip(wanted).toLowerCase());
};

const endPhrase: Checker = (response, args) => {
  const phrase = textArgument(args, 'end_phrase');
  if (phrase === null) return null;
  return strip(response)
    .replace(/^"+|"+$/gu, '')
    .toLowerCase()
    .endsWith(strip(phrase).toLowerCase());
};

const quotation: Checker = (response) => {
  const text = strip(response);
  return [...text].length > 1 && text.startsWith('"') && text.endsWith('"');
};

export const formatCheckers: Readonly<Record<string, Checker>> = {
  'detectable_content:number_placeholders': placeholders,
  'detectable_content:postscript': postscript,
  'detectable_format:number_bullet_lists': bullets,
  'detectable_format:constrained_response': constrained,
  'detectable_format:number_highlighted_sections': highlights,
  'detectable_format:multiple_sections': sections,
  'detectable_format:json_format': json,
  'detectable_format:title': title,
  'combination:two_responses': twoResponses,
  'combination:repeat_prompt': repeatPrompt,
  'startend:end_checker': endPhrase,
  'startend:quotation': quotation,
  'punctuation:no_comma': (response) => !response.includes(','),
};
