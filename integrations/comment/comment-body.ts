/** The first line of `report.md`. */
const MARKER = '<!-- redpen-report -->';

/** The most characters of a comment on GitHub. Those of GitLab may be longer. */
const MOST_CHARACTERS = 65_536;

const ROOM_FOR_END = 1_000;

/** Throws a sentence if a key cannot stand in a marker. */
export function checkKey(key: string): string {
  if (!/^[\w. -]{0,100}$/.test(key) || key.includes('--'))
    throw new Error(
      'The key of a comment has at most 100 letters, digits, spaces, dots, underscores and single hyphens.',
    );
  return key.trim();
}

/** The line by which a later run finds the comment again. Each key has a comment of its own. */
export const markerOf = (key: string): string => (key === '' ? MARKER : `<!-- redpen-report: ${key} -->`);

/** The text of the comment: the report with its marker, and a link to the run that made it. */
export function bodyOf(markdown: string, key: string, runUrl?: string): string {
  const text = markdown.replace(/^\uFEFF/, '').trimStart();
  const report = text.startsWith(MARKER) ? text.slice(MARKER.length).trimStart() : text;
  const link = runUrl === undefined ? '' : `\n\n[All reports of this run](${runUrl})\n`;
  return `${cut(`${markerOf(key)}\n${report.trimEnd()}`, MOST_CHARACTERS - link.length)}${link}`;
}

/** Cuts a text of Markdown after a line, and closes the code block and the folded parts that are open there. */
export function cut(markdown: string, most: number): string {
  if (markdown.length <= most) return markdown;
  const room = most - ROOM_FOR_END;
  const end = markdown.lastIndexOf('\n', room);
  // A single endless line is cut between two characters.
  const kept = end > 0 ? markdown.slice(0, end) : markdown.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  const { fence, details } = openAt(kept);
  return [
    kept,
    ...(fence === undefined ? [] : [fence]),
    ...Array.from({ length: Math.min(details, 50) }, () => '</details>'),
    '',
    'This comment is at the limit of its length. The reports of the run have the rest.',
  ].join('\n');
}

/** What is open at the end of a text: the fence of a code block, and a number of folded parts. */
function openAt(markdown: string): { fence: string | undefined; details: number } {
  let fence: string | undefined;
  let details = 0;
  for (const line of markdown.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = undefined;
      continue;
    }
    if (mark !== '') fence = mark;
    else {
      details += [...line.matchAll(/<details\b/gi)].length - [...line.matchAll(/<\/details>/gi)].length;
      details = Math.max(0, details);
    }
  }
  return { fence, details };
}
