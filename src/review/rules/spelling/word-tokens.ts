export interface Token {
  word: string;
  from: number;
  to: number;
  /** True for the first word of a sentence or of the passage. */
  opens: boolean;
}

/** Chunks between spaces that are not prose: addresses, file names, identifiers, numbers with units. */
const NO_PROSE =
  /@|:\/\/|www\.|[\\_=<>{}[\]|~^$#*`+%]|--|\p{L}\.\p{L}|\p{N}\p{L}|\p{L}\p{N}|\p{Ll}\p{Lu}|::|^\/|\/.*\/|^&|;$(?<=&\w+;)|^-\p{L}|\)\p{L}/u;

/** The words of a passage, without chunks that are not prose. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let opens = true;
  for (const chunk of text.matchAll(/\S+/g)) {
    const [whole] = chunk;
    const bare = whole.replace(/^[("'“‘«[]+|[)"'”’»\],.;:!?…]+$/gu, '');
    const isProse = !NO_PROSE.test(bare);
    for (const match of isProse ? whole.matchAll(/[\p{L}\p{M}]+(?:['’][\p{L}]+)*/gu) : []) {
      const from = chunk.index + match.index;
      tokens.push({ word: match[0], from, to: from + match[0].length, opens });
      opens = false;
    }
    if (/\p{L}|\p{N}/u.test(whole)) opens = /[.!?…:]["'”’)\]]*$/u.test(whole);
    else opens ||= /^[•·*\-–—|>»]$/u.test(whole);
  }
  return tokens;
}

/** Common words of other languages. */
const FOREIGN = new Set(
  (
    'der die das und ist nicht ein eine einen mit für auf von zu den dem wir sie ich auch sich ' +
    'le la les des et est un une dans pour avec sur pas que qui quoi ne sais nous vous je du au aux ce cette ' +
    'el los las y es en con por para una del se su como más ' +
    'il lo gli che di della sono per ' +
    'de het een van niet zijn voor met op ' +
    'o os da do em não uma com ' +
    'ad et ut non cum sed qui quod est in nec pro'
  ).split(' '),
);

export const isForeignWord = (word: string): boolean => FOREIGN.has(word.toLowerCase());
