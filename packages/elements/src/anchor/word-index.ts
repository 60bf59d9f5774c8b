/** Words that are more frequent say nothing about a place. */
const MOST_PLACES = 60;
const BUCKET_CHARS = 24;
const BEST_PLACES = 6;
const WORDS_PER_STEP = 500;

/** The words of a text with their offsets. */
export type WordIndex = ReadonlyMap<string, readonly number[]>;

const WORD = /[\p{L}\p{N}]+/gu;
/** Languages that are written without spaces have words of two characters here. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function* wordsOf(text: string): Generator<[word: string, at: number]> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!DENSE.test(word)) yield [word, index];
    else for (let at = 0; at + 1 < word.length; at++) yield [word.slice(at, at + 2), index + at];
  }
}

/** Takes a text in lower case. */
export function* indexWords(text: string): Generator<undefined, WordIndex, undefined> {
  const index = new Map<string, number[]>();
  let count = 0;
  for (const [word, at] of wordsOf(text)) {
    count += 1;
    if (count % WORDS_PER_STEP === 0) yield;
    const places = index.get(word);
    if (places) places.push(at);
    else index.set(word, [at]);
  }
  return index;
}

/**
 * Where a passage may begin in a text, the likeliest place first: where many of its words have the same distance from
 * each other.
 */
export function likelyPlaces(index: WordIndex, passage: string): number[] {
  const votes = new Map<number, number>();
  for (const [word, offset] of wordsOf(passage)) {
    const places = index.get(word);
    if (!places || places.length > MOST_PLACES) continue;
    for (const at of places) {
      const bucket = Math.floor((at - offset) / BUCKET_CHARS);
      // Rare words say more.
      votes.set(bucket, (votes.get(bucket) ?? 0) + 1 / places.length + word.length / 50);
    }
  }
  return [...votes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, BEST_PLACES)
    .map(([bucket]) => bucket * BUCKET_CHARS);
}
