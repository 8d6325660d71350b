// Says whether a clause denies or doubts what stands at a place of it: "I don't think it is B", "anything but B", "the wrong answer is B".

const opens = `[\\s("'*_$£€]*`;
const articles = '(?:(?:the|a|an|very|really|being|option|choice|answer|letter|label)\\s+)*';

/** Without one of these no clause is doubted; most clauses end the search here. */
const anyDoubt =
  /n't|not|dont|never|hardly|cannot|doubt|no one|no way|nobody|disagree|surprised|but|besides|other than|far|near|barely|scarcely|opposite|less|least|wrong|incorrect|false|untrue|mistake|worst|likely|improbable|impossible|invalid|bad|reject|eliminated|nicht|pas|no creo|non|não|не /i;

/** A denied verb of opinion: what follows it is what the speaker does not hold. */
const deniedOpinion =
  /(?:\bnot|n't|\bdont|\bnever|\bhardly|\bcannot|\bno longer|\bnobody|\bno one)\s+(?:[a-z]+\s+){0,2}?(?:thinks?|believes?|suppose|guess|say|feel|convinced|sure|certain|persuaded|agree|accept|buy|confident|claim|conclude|call|choose|pick|select|see (?:how|why))\s|\b(?:glaube|denke) nicht, dass\s|\bne (?:pense|crois) pas qu|\bno (?:creo|pienso) que\s|\bnon (?:penso|credo) che\s|não (?:acho|creio|penso) que\s|не (?:думаю|считаю), что\s/gi;

/** "It is false that", "wrong to call this", "I doubt that". */
const deniedClaim =
  /(?:\bfalse|\buntrue|\bincorrect|\bwrong|\bmistaken|\ban? (?:mistake|error)|\bunlikely|\bimprobable|\bimpossible|\bdoubtful|\bdisagree|\bsurprised|(?:\bnot|n't|\bnever)\s+(?:[a-z]+\s+)?(?:true|correct|right|likely|the case|possible|accurate|fair))\s+(?:that|if|to\s+(?:say|think|call|claim|choose|pick|select|assume|conclude|answer|suppose|label|classify|describe|consider|believe|go|rate))\s|(?<!\b(?:no|not|without|any|little|a|beyond)\s|n't\s)\bdoubt(?:s|ed)?\s|\bno way\s/gi;

/** From here on the clause says something else than what was denied. */
const turn =
  /[,:()=–—]|\s-\s|n't|\b(?:but|so|because|since|instead|rather|other|anything|nothing|doubt|except|than|not|unless|however|though|although|therefore|thus|hence|wrong|incorrect|while|without|before|until)\b|\band (?:i|go|choose|pick|select)\b|\bi(?:'d| would)? (?:think|believe|choose|pick|say|go)\b/i;

const setAside = new RegExp(
  `(?:\\b(?:any(?:thing|one|body)?|every(?:thing|one|body)?|all)(?:\\s+(?!no)[a-z]+)?\\s+(?:but|besides|other than|save)\\s+` +
    `|\\b(?:far from|hardly|scarcely|barely|nowhere near|opposite of|less|not (?:at all|in any way|remotely|even|exactly)|(?:cannot|can't|could not|couldn't)(?: [a-z]+ly)? be)\\s+)${articles}${opens}$`,
  'i',
);

const wrongNoun = new RegExp(
  `\\b(?:wrong|incorrect|false|worst|unlikely|improbable|invalid|bad|rejected|eliminated|least\\s+[a-z]+)\\s+` +
    `(?:answer|option|choice|letter|alternative|label|pick|guess)s?(?:\\s+here)?(?:\\s+(?:is|are|was|were|would be|must be|seems to be|should be)\\s+|\\s*[:=]\\s*)` +
    `(?:(?:clearly|obviously|definitely|probably|certainly)\\s+)?${articles}${opens}$`,
  'i',
);

/** "(incorrect: B)", "Wrong: C": a heading of what is set aside. */
const wrongHeading = /(?:^|[([,;])\s*(?:incorrect|wrong|false|rejected|eliminated|not)(?: (?:answer|option|choice)s?)?\s*:\s*[("'*_]*$/i;

/** How far back a clause is read, in characters. */
const reach = 120;

/** Does the clause before `at` deny or doubt what stands there? */
export function isDoubted(text: string, at: number): boolean {
  const clause = clauseBefore(text, at);
  if (!anyDoubt.test(clause)) return false;
  if (setAside.test(clause) || wrongNoun.test(clause) || wrongHeading.test(clause)) return true;
  const from = Math.max(endOfLast(clause, deniedOpinion), endOfLast(clause, deniedClaim));
  return from >= 0 && !turn.test(clause.slice(from).replace(/[\s("'*_$]{1,9}$/, ''));
}

function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - reach), at);
  let start = before.length;
  while (start > 0 && !endsClause(before, start - 1)) start -= 1;
  return before.slice(start);
}

function endsClause(text: string, at: number): boolean {
  const char = text[at]!;
  return char === '\n' || char === ';' || char === '!' || char === '?' || char === '。' || (char === '.' && text[at + 1] === ' ');
}

function endOfLast(text: string, pattern: RegExp): number {
  let end = -1;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}
