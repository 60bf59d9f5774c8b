/** Words that may occur twice in a row, by grammar or for effect. */
const MAY_DOUBLE = new Set(
  (
    'that had her do can very really so many much far long more no yes now there well bye ha hey hi ho hear knock ' +
    'tut chop night blah cha choo please go ta wee big little old never ever again tick yada poo boo pom tsk la ' +
    'na test asdf foo lorem woof quack miaow meow beep ding round higher lower faster further sing aye bling heave'
  ).split(' '),
);

/** Particles of verbs: "log in in the morning". */
const PARTICLE =
  /\b(log|logs|logged|logging|sign|signs|signed|check|checked|drop|opt|come|came|comes|move|moved|step|plug|tune|turn|turned|carry|go|goes|went|hold|hang|live|lives|call|phone|hand|set|pass|read|keep|stop|look|settle|believe|took|take|put)$/i;
/** "What it is is a mess." */
const CLEFT =
  /\b(what|all (?:i|you|we|they|he|she|it|that|there)|thing|point|problem|question|truth|fact|idea|trouble|answer|reason)\b[^.!?]{0,40}$/i;

export interface Doubled {
  from: number;
  to: number;
  word: string;
}

/** Words that are repeated by mistake. */
export function doubledWords(text: string): Doubled[] {
  const found: Doubled[] = [];
  const pattern = /(?<![\p{L}\p{N}'’\-–./@#_&])(\p{L}+)(?:\s+\1)+(?![\p{L}\p{N}'’_&]|[-–@/]\p{L})/giu;
  for (const match of text.matchAll(pattern)) {
    const [whole] = match;
    const forms = whole.split(/\s+/);
    const word = forms[0]!.toLowerCase();
    const before = text.slice(0, match.index).trimEnd();
    if (MAY_DOUBLE.has(word)) continue;
    // Names may be double: Duran Duran, Walla Walla, AA AA.
    if (forms.some((form, index) => index > 0 && form !== form.toLowerCase())) continue;
    if (/^(in|on|out|over|up|off|down)$/.test(word) && PARTICLE.test(before)) continue;
    if (/^(is|was|are|were|does|did)$/.test(word) && CLEFT.test(before)) continue;
    if (word.length === 1 && word !== 'a') continue;
    found.push({ from: match.index, to: match.index + whole.length, word });
  }
  return found;
}

export interface Token {
  word: string;
  from: number;
  to: number;
  /** True for the first word of a sentence or of the passage. */
  opens: boolean;
}

/** Chunks between spaces that are not prose: addresses, file names, identifiers, numbers with units. */
const NO_PROSE =
  /@|:\/\/|www\.|[\\_=<>{}[\]|~^$#*`+%]|--|\p{L}\.\p{L}|\p{N}\p{L}|\p{L}\p{N}|\p{Ll}\p{Lu}|::|^\/|\/.*\/|^&|;$(?<=&\w+;)|^-\p{L}/u;

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
