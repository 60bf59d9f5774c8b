export interface ListedLine {
  text: string;
  /** The last line above it that names what follows. */
  heading: string | undefined;
}

const SENTENCE_END = /[.!?;…。！？]["'”’)\]]*$/u;
/** How a sentence begins, in scripts with capitals and in others. */
const BEGINNING = /^["'“‘([¿¡]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
const MAX_HEADING_WORDS = 8;
/** Of a list, nearly all lines end alike: in a full stop or in none. */
const SHARE_OF_ODD_ENDS = 0.2;

const shareOfSentences = (lines: readonly string[]): number =>
  lines.filter((line) => SENTENCE_END.test(line)).length / lines.length;

/**
 * The lines of a text that has no marks for what belongs to a list, without those that name what follows: with a `#`
 * or a colon, or short and without the full stop that most others end in.
 */
export function listedLines(text: string, isDemanding: (line: string) => boolean): ListedLine[] {
  const lines = text
    .split(/[\n\f]/)
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line));
  const hasSentences = shareOfSentences(lines) >= 0.5;
  const listed: ListedLine[] = [];
  let heading: string | undefined;
  for (const [index, line] of lines.entries()) {
    const isShort = line.split(/\s+/, MAX_HEADING_WORDS + 1).length <= MAX_HEADING_WORDS;
    const namesNext =
      index < lines.length - 1 &&
      isShort &&
      (line.endsWith(':') || (hasSentences && !SENTENCE_END.test(line) && !isDemanding(line)));
    if (line.startsWith('#') || namesNext) heading = line.replace(/^#+\s*|:$/g, '') || undefined;
    else listed.push({ text: line, heading });
  }
  return listed;
}

/** Whether each line is something by itself, rather than a part of prose that is broken into lines. */
export function areWhole(lines: readonly ListedLine[]): boolean {
  const share = shareOfSentences(lines.map(({ text }) => text));
  return (
    lines.every(({ text }) => BEGINNING.test(text)) &&
    (share <= SHARE_OF_ODD_ENDS || share >= 1 - SHARE_OF_ODD_ENDS)
  );
}
