// Stand-ins for three Python libraries that the IFEval originals use: punkt, word_tokenize and langdetect. Results may differ.
import { strip } from '../../metrics/text/python-text.ts';

const abbreviations = /\b(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|e\.g|i\.e|u\.s|a\.m|p\.m|no|vol|fig|inc|ltd|co|dept|approx|est)\.$/iu;

/** Sentences of English text: a stop, question or exclamation mark, closing marks, white space, then no lower-case letter. */
export function countSentences(text: string): number {
  const bare = strip(text);
  if (bare === '') return 0;
  let count = 1;
  for (const hit of bare.matchAll(/[.!?]+["')\]*]*\s+(?=([^\s]))/gu)) {
    const before = bare.slice(0, hit.index + 1);
    const isInitial = /(?:^|\s)\p{Lu}\.$/u.test(before);
    const continues = /\p{Ll}/u.test(hit[1]!) && hit[0].startsWith('.');
    if (!isInitial && !continues && !abbreviations.test(before)) count++;
  }
  return count;
}

/** Words that consist of capitals, hyphens kept: `A-B` is one. */
export function countCapitalWords(text: string): number {
  const words = text.match(/[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu) ?? [];
  return words.filter(isUpper).length;
}

/** `text.isupper()`: some cased letter, and none in lower case. */
export function isUpper(text: string): boolean {
  return /\p{Lu}/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text);
}

/** `text.islower()` */
export function isLower(text: string): boolean {
  return /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text);
}

/** Scripts that name a language by themselves, more telling ones first. */
const scripts: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['pa', /\p{Script=Gurmukhi}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
];
const shared: readonly (readonly [pattern: RegExp, languages: readonly string[]])[] = [
  [/\p{Script=Devanagari}/gu, ['hi', 'mr', 'ne']],
  [/\p{Script=Arabic}/gu, ['ar', 'fa', 'ur']],
  [/\p{Script=Cyrillic}/gu, ['ru', 'bg', 'uk', 'mk']],
];

/** Frequent words that tell languages of one script apart. */
const frequentWords: Readonly<Record<string, string>> = {
  en: 'the of and to in is that it for was on with as are be this by you not have from or at an',
  de: 'der die und das ist nicht ein eine zu den mit von auf für sich es im auch dem als ich wir sie',
  fr: 'le la les et des est un une que pour dans pas qui sur il plus ce avec au je vous nous sont',
  es: 'el la los que y en un una es por con para se las del no su al como más pero sus lo',
  pt: 'o a os que e em um uma é por com para não se as do da no na ao mais como mas seu',
  it: 'il la che e di un una è per con non si le del della in sono lo gli anche come più ma',
  nl: 'de het een en van is dat niet op te zijn voor met die aan er ook als maar om bij',
  sv: 'och att det som en på är av för med den till inte har de ett om var jag vi',
  fi: 'ja on ei se että en oli hän ovat mutta tai kun joka niin myös olla kuin',
  pl: 'i w na nie się z do to że jest o jak ale po co za od przez dla tak',
  vi: 'và của là có cho không được với các một trong những người để này đã khi',
  sw: 'ya na wa kwa ni katika la za kuwa cha hii yake kama lakini watu huu',
  ru: 'и в не на что с по это он как но из у за от для то мы они был',
  bg: 'и на да се от за не е са по това като със който което има един',
  uk: 'і в не на що з до це як та але від за про його є був вони',
  hi: 'के है में की का और को से यह नहीं पर हैं एक भी कि हो',
  mr: 'आहे आणि या च्या तो ती ते आहेत मध्ये हे नाही पण एक होते',
  ne: 'छ र को मा छन् यो हो पनि गर्न भएको लागि एक भने थियो',
  ar: 'في من على إلى أن هذا التي عن مع لا ما هو كان هذه',
  fa: 'و در به از که این را با است برای آن یک می های',
  ur: 'کے میں کی ہے اور سے کا کو کہ یہ نے پر ہیں ایک',
};
const wordSets = new Map(Object.entries(frequentWords).map(([language, words]) => [language, new Set(words.split(' '))]));
const latin = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'fi', 'pl', 'vi', 'sw'];

/** Language code of a text, or null where it holds no letters. */
export function detectLanguage(text: string): string | null {
  const letters = (text.match(/\p{L}/gu) ?? []).length;
  if (letters === 0) return null;
  for (const [language, pattern] of scripts) {
    if ((text.match(pattern) ?? []).length > letters * (language === 'ja' ? 0.1 : 0.4)) return language;
  }
  for (const [pattern, languages] of shared) {
    if ((text.match(pattern) ?? []).length > letters * 0.4) return mostFrequent(text, languages);
  }
  return mostFrequent(text, latin);
}

function mostFrequent(text: string, languages: readonly string[]): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const scores = languages.map((language) => words.filter((word) => wordSets.get(language)?.has(word)).length);
  return languages[scores.indexOf(Math.max(...scores))]!;
}
