// WordPiece as BERT's uncased models use it (Devlin et al. 2019): clean, split at spaces, punctuation and CJK signs, then longest pieces.

export interface WordPieceTokenizer {
  /** Token ids with [CLS] and [SEP], at most `maxTokens`. */
  readonly encode: (text: string, maxTokens: number) => readonly number[];
}

/** A longer word becomes [UNK] as a whole. */
const longestWord = 100;
const cjk =
  /[\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{F900}-\u{FAFF}\u{2F800}-\u{2FA1F}]/gu;
/** ASCII signs count as punctuation even where Unicode calls them symbols. */
const punctuation = /[!-/:-@[-`{-~\p{P}]/gu;
const controls = /[\0\u{FFFD}]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const spaces = /[\t\n\r\p{Zs}]+/u;

function words(text: string): string[] {
  const clean = text.replace(controls, '').replace(cjk, ' $& ');
  const bare = clean
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  return bare
    .replace(punctuation, ' $& ')
    .split(spaces)
    .filter((word) => word !== '');
}

/**
 * @param vocabulary one piece a line, in the order of the ids
 * @throws RangeError where the vocabulary lacks [CLS], [SEP] or [UNK]
 */
export function createWordPieceTokenizer(vocabulary: string): WordPieceTokenizer {
  const ids = new Map(
    vocabulary
      .replace(/\n$/u, '')
      .split('\n')
      .map((piece, id) => [piece.replace(/\r$/u, ''), id]),
  );
  const special = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new RangeError(`the vocabulary has no ${name}`);
    return id;
  };
  const [start, end, unknown] = [special('[CLS]'), special('[SEP]'), special('[UNK]')];

  const pieces = (word: string): readonly number[] => {
    const signs = [...word];
    if (signs.length > longestWord) return [unknown];
    const found: number[] = [];
    for (let from = 0; from < signs.length; ) {
      const prefix = from === 0 ? '' : '##';
      let to = signs.length;
      while (to > from && !ids.has(prefix + signs.slice(from, to).join(''))) to--;
      if (to === from) return [unknown];
      found.push(ids.get(prefix + signs.slice(from, to).join(''))!);
      from = to;
    }
    return found;
  };

  return {
    encode: (text, maxTokens) => {
      const found: number[] = [];
      for (const word of words(text)) {
        found.push(...pieces(word));
        if (found.length >= maxTokens - 2) break;
      }
      return [start, ...found.slice(0, maxTokens - 2), end];
    },
  };
}
