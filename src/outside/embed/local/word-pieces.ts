/** The words of which a model's texts are made up, by their numbers, and how texts fall into them. */
export interface WordPieces {
  /** At most `most` numbers of the pieces of a text, without those that mark its begin and end. */
  split(text: string, most: number): number[];
  begin: number;
  end: number;
  padding: number;
}

/** A word of more characters is one that is not known. */
const LONGEST_WORD = 100;
/** In front of a piece that does not begin a word. */
const CONTINUED = '##';

const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{fffd}]/gu;
const CHINESE =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]/gu;
const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/** As BERT's models without capital letters do it. Time grows with the length of the text alone. */
export function createWordPieces(vocabulary: Record<string, number>): WordPieces {
  const known = new Map(Object.entries(vocabulary));
  const numberOf = (piece: string) => {
    const number = known.get(piece);
    if (number === undefined) throw new Error(`The vocabulary has no ${piece}.`);
    return number;
  };
  const unknown = numberOf('[UNK]');
  const longest = [...known.keys()].reduce((length, piece) => Math.max(length, piece.length), 0);

  /** The pieces of a word, the longest first that fits at each place. */
  const piecesOf = (word: string): number[] => {
    const letters = [...word];
    if (letters.length > LONGEST_WORD) return [unknown];
    const pieces: number[] = [];
    for (let at = 0; at < letters.length; ) {
      const prefix = at === 0 ? '' : CONTINUED;
      let end = Math.min(letters.length, at + longest);
      let number: number | undefined;
      for (; end > at && number === undefined; end--) {
        number = known.get(prefix + letters.slice(at, end).join(''));
      }
      if (number === undefined) return [unknown];
      pieces.push(number);
      at = end + 1;
    }
    return pieces;
  };

  return {
    begin: numberOf('[CLS]'),
    end: numberOf('[SEP]'),
    padding: numberOf('[PAD]'),
    split(text, most) {
      const pieces: number[] = [];
      for (const [word] of plain(text).matchAll(WORD)) {
        pieces.push(...piecesOf(word));
        if (pieces.length >= most) return pieces.slice(0, most);
      }
      return pieces;
    },
  };
}

/** Without capital letters, accents and what cannot be seen; every Chinese character a word. */
const plain = (text: string): string =>
  text
    .replace(CONTROL, (character) => (/[\t\n\r]/.test(character) ? ' ' : ''))
    .replace(CHINESE, ' $& ')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
