// English suffix stripping as rouge-score does it: Porter (1980) with the deviations of the NLTK stemmer's default mode.

type Condition = (stem: string, word: string) => boolean;
type Rule = readonly [suffix: string, replacement: string, condition: Condition | null];

/** Whole words that the rules get wrong. */
const irregular: ReadonlyMap<string, string> = new Map([
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['innings', 'inning'],
  ['inning', 'inning'],
  ['outings', 'outing'],
  ['outing', 'outing'],
  ['cannings', 'canning'],
  ['canning', 'canning'],
  ['howe', 'howe'],
  ['proceed', 'proceed'],
  ['exceed', 'exceed'],
  ['succeed', 'succeed'],
]);

function isVowelLetter(letter: string): boolean {
  return letter === 'a' || letter === 'e' || letter === 'i' || letter === 'o' || letter === 'u';
}

/** True per letter where it is a consonant: `y` is one at the start and after a vowel. */
function consonants(word: string): boolean[] {
  const flags: boolean[] = [];
  for (let index = 0; index < word.length; index++) {
    const letter = word[index]!;
    flags.push(isVowelLetter(letter) ? false : letter !== 'y' || index === 0 || !flags[index - 1]);
  }
  return flags;
}

/** Porter's measure m: the number of vowel-to-consonant steps. */
function measure(stem: string): number {
  const flags = consonants(stem);
  let count = 0;
  for (let index = 1; index < flags.length; index++) if (flags[index] && !flags[index - 1]) count++;
  return count;
}

function hasVowel(stem: string): boolean {
  return consonants(stem).includes(false);
}

function endsDoubleConsonant(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && consonants(word).at(-1) === true;
}

/** Consonant, vowel, consonant other than w, x, y; or a two-letter word of vowel and consonant. */
function endsShortSyllable(word: string): boolean {
  const flags = consonants(word);
  const length = word.length;
  if (length === 2) return !flags[0] && flags[1]!;
  return length >= 3 && flags[length - 3]! && !flags[length - 2] && flags[length - 1]! && !'wxy'.includes(word[length - 1]!);
}

const positive: Condition = (stem) => measure(stem) > 0;
const aboveOne: Condition = (stem) => measure(stem) > 1;

/** The first rule whose suffix fits decides, also when its condition fails. */
function applyFirst(word: string, rules: readonly Rule[]): string {
  for (const [suffix, replacement, condition] of rules) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, word.length - suffix.length);
    return condition === null || condition(stem, word) ? stem + replacement : word;
  }
  return word;
}

function stripPlural(word: string): string {
  if (word.endsWith('ies')) return word.length === 4 ? word.slice(0, -1) : word.slice(0, -2);
  if (word.endsWith('sses')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function stripPast(word: string): string {
  if (word.endsWith('ied')) return word.length === 4 ? word.slice(0, -1) : word.slice(0, -2);
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  for (const suffix of ['ed', 'ing']) {
    const stem = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && hasVowel(stem)) return tidyAfterPast(stem);
  }
  return word;
}

function tidyAfterPast(stem: string): string {
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`;
  if (endsDoubleConsonant(stem)) return 'lsz'.includes(stem.at(-1)!) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShortSyllable(stem) ? `${stem}e` : stem;
}

const finalY: readonly Rule[] = [['y', 'i', (stem) => stem.length > 1 && consonants(stem).at(-1) === true]];

const doubleSuffixes: readonly Rule[] = [
  ['ational', 'ate', positive],
  ['tional', 'tion', positive],
  ['enci', 'ence', positive],
  ['anci', 'ance', positive],
  ['izer', 'ize', positive],
  ['bli', 'ble', positive],
  ['alli', 'al', positive],
  ['entli', 'ent', positive],
  ['eli', 'e', positive],
  ['ousli', 'ous', positive],
  ['ization', 'ize', positive],
  ['ation', 'ate', positive],
  ['ator', 'ate', positive],
  ['alism', 'al', positive],
  ['iveness', 'ive', positive],
  ['fulness', 'ful', positive],
  ['ousness', 'ous', positive],
  ['aliti', 'al', positive],
  ['iviti', 'ive', positive],
  ['biliti', 'ble', positive],
  ['fulli', 'ful', positive],
  // The l counts as part of the stem here, so that short stems (geo-, theo-) work too.
  ['logi', 'log', (_, word) => measure(word.slice(0, -3)) > 0],
];

function reduceDouble(word: string): string {
  if (word.endsWith('alli') && measure(word.slice(0, -4)) > 0) return reduceDouble(word.slice(0, -2));
  return applyFirst(word, doubleSuffixes);
}

const adjectiveSuffixes: readonly Rule[] = [
  ['icate', 'ic', positive],
  ['ative', '', positive],
  ['alize', 'al', positive],
  ['iciti', 'ic', positive],
  ['ical', 'ic', positive],
  ['ful', '', positive],
  ['ness', '', positive],
];

const longSuffixes: readonly Rule[] = [
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent'].map((suffix): Rule => [suffix, '', aboveOne]),
  ['ion', '', (stem) => measure(stem) > 1 && (stem.endsWith('s') || stem.endsWith('t'))],
  ...['ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'].map((suffix): Rule => [suffix, '', aboveOne]),
];

function dropFinalE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const size = measure(stem);
  return size > 1 || (size === 1 && !endsShortSyllable(stem)) ? stem : word;
}

function dropDoubleL(word: string): string {
  return word.endsWith('ll') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word;
}

function computeStem(word: string): string {
  const plain = applyFirst(stripPast(stripPlural(word)), finalY);
  return dropDoubleL(dropFinalE(applyFirst(applyFirst(reduceDouble(plain), adjectiveSuffixes), longSuffixes)));
}

const remembered = new Map<string, string>();
const memoryLimit = 50_000;

/** Stem of a lower-case word; words of one or two letters stay as they are. */
export function porterStem(word: string): string {
  if (word.length <= 2) return word;
  const known = irregular.get(word) ?? remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= memoryLimit) remembered.clear();
  const stem = computeStem(word);
  remembered.set(word, stem);
  return stem;
}
