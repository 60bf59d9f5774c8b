import type { Language } from './languages.ts';

/** Particles of verbs: "log in in the morning". */
const PARTICLE =
  /\b(log|logs|logged|logging|sign|signs|signed|check|checked|drop|opt|come|came|comes|move|moved|step|plug|tune|turn|turned|carry|go|goes|went|hold|hang|live|lives|call|phone|hand|set|pass|read|keep|stop|look|settle|believe|took|take|put)$/i;
/** "What it is is a mess." */
const CLEFT =
  /\b(what|which|all (?:i|you|we|they|he|she|it|that|there)|thing|point|problem|question|truth|fact|idea|trouble|answer|reason)\b[^.!?]{0,40}$/i;
/** Passages of fewer words are labels, menus and cells. */
const MIN_WORDS = 4;

export interface Repeated {
  from: number;
  to: number;
  word: string;
}

/** Words of a sentence that are repeated in the same case. */
export function repeatedWords(text: string, { tag, mayDouble }: Language): Repeated[] {
  const found: Repeated[] = [];
  const pattern =
    /(?<![\p{L}\p{N}'’\-–./@#_&$%<\\:]|[\p{L}\p{N}] ?[|,;])(\p{L}+)(?: \1)(?![\p{L}\p{N}'’_&:=(]|[-–@/.|]\p{L}| \1\b)/gu;
  if ((text.match(/\p{L}+/gu) ?? []).length < MIN_WORDS) return found;
  for (const match of text.matchAll(pattern)) {
    const [whole, word = ''] = match;
    const lower = word.toLowerCase();
    const before = text.slice(0, match.index).trimEnd();
    // Names may be double: Duran Duran.
    if (word !== lower || mayDouble.includes(lower)) continue;
    if (word.length === 1 && !(tag === 'en' && word === 'a')) continue;
    if (tag === 'en') {
      if (/^(in|on|out|over|up|off|down)$/.test(word) && PARTICLE.test(before)) continue;
      if (/^(is|was|are|were|does|did)$/.test(word) && CLEFT.test(before)) continue;
    }
    found.push({ from: match.index, to: match.index + whole.length, word });
  }
  return found;
}
