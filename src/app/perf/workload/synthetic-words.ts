// Words for synthetic prompts: short common ones, most of them one token in any vocabulary, drawn by seed.
import { createRandom } from '../../../stats/random.ts';

const words =
  'time year people way day man thing woman life child world school state family student group country problem hand part place case week company system program question work number night point home water room mother area money story fact month lot right study book eye job word business issue side kind head house service friend father power hour game line end member law car city name team minute idea body back parent face others level office door health person art war history party result change morning reason research girl guy moment air teacher force education'.split(
    ' ',
  );

/** `count` words, each with a leading space. The first eight are the nonce: about 50 bits, so no two prompts begin alike. */
export function drawWords(count: number, seed: number, salt: string): string[] {
  const random = createRandom(seed, salt);
  return Array.from({ length: count }, () => ` ${words[random.below(words.length)]}`);
}

/** Text that makes a prompt begin unlike all others. */
export function nonceText(seed: number, salt: string): string {
  return drawWords(8, seed, `nonce ${salt}`).join('').trim();
}
