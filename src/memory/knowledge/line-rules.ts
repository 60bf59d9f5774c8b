export interface ListedLine {
  text: string;
  /** Nearest heading above the line. */
  heading: string | undefined;
}

const SENTENCE_END = /[.!?;…。！？]["'”’)\]]*$/u;
/** Beginning of a sentence, in scripts with and without capitals. */
const BEGINNING = /^["'“‘([¿¡]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
const MAX_HEADING_WORDS = 8;
/** Most lines of a list end alike, with a full stop or without. */
const SHARE_OF_ODD_ENDS = 0.2;

const shareOfSentences = (lines: readonly string[]): number =>
  lines.filter((line) => SENTENCE_END.test(line)).length / lines.length;

/**
 * The lines of a text without list marks, headings excepted: lines with a `#` or a colon, or short ones without the
 * full stop that most others have.
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

/** True if lines are complete statements rather than wrapped prose. */
export function areStatements(lines: readonly ListedLine[]): boolean {
  const share = shareOfSentences(lines.map(({ text }) => text));
  return (
    lines.every(({ text }) => BEGINNING.test(text)) &&
    (share <= SHARE_OF_ODD_ENDS || share >= 1 - SHARE_OF_ODD_ENDS)
  );
}
