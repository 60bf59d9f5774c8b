import { cutText, shorten } from '../../lib/text/cut-text.ts';
import { safeText } from '../../lib/text/html.ts';
import type { Grounding } from '../../shapes/agents/execution.ts';

/** One thing that the memory knows, as a model is given it. */
export interface MemoryEntry {
  /** Names it in the prompt, such as `R3`. */
  mark: string;
  kind: Grounding['kind'];
  /** Of the rule, chunk, pattern or judgment. */
  id: string;
  sourceId?: string | undefined;
  /** Where it stands, such as a file and its heading. */
  section: string;
  text: string;
}

export type Remembered = Omit<MemoryEntry, 'mark'>;

/** About 7,500 tokens. */
const MAX_CHARS = 30_000;
const MAX_ENTRY = 1_500;
const MAX_SECTION = 200;

const MARKS: Record<Grounding['kind'], string> = { rule: 'R', chunk: 'K', pattern: 'P', judgment: 'J' };
const HEADINGS: Record<Grounding['kind'], string> = {
  rule: 'Rules that the publisher laid down:',
  chunk: "Passages of the publisher's documents:",
  pattern: 'What reviewers keep deciding:',
  judgment: 'What reviewers decided and said:',
};
const ORDER = ['rule', 'chunk', 'pattern', 'judgment'] as const;

const line = (text: string, length: number): string => shorten(text.replace(/\s+/g, ' ').trim(), length);

/** As many as a prompt may hold, each with a mark; the first of every kind stay longest. */
export function markEntries(remembered: readonly Remembered[]): MemoryEntry[] {
  const turns = new Map<string, number>();
  const inTurn = remembered
    .map((one) => {
      const turn = turns.get(one.kind) ?? 0;
      turns.set(one.kind, turn + 1);
      return { one, turn };
    })
    .sort((a, b) => a.turn - b.turn);
  const kept = new Map<string, Remembered[]>();
  let chars = 0;
  for (const { one } of inTurn) {
    const short = { ...one, text: line(one.text, MAX_ENTRY), section: line(one.section, MAX_SECTION) };
    chars += short.text.length + short.section.length;
    if (chars > MAX_CHARS) break;
    kept.set(one.kind, [...(kept.get(one.kind) ?? []), short]);
  }
  return ORDER.flatMap((kind) =>
    (kept.get(kind) ?? []).map((one, index) => ({ ...one, mark: `${MARKS[kind]}${index + 1}` })),
  );
}

/** What stands in the place of `{{memoryContext}}`: a line for each entry, under the heading of its kind. */
export const memoryText = (entries: readonly MemoryEntry[]): string =>
  ORDER.flatMap((kind) => {
    const some = entries.filter((entry) => entry.kind === kind);
    return some.length === 0
      ? []
      : [HEADINGS[kind], ...some.map(({ mark, section, text }) => `[${mark}] (${section}) ${text}`)];
  }).join('\n');

const MAX_QUOTE = 300;

/** What a finding says of an entry that it rests on. What people decided is named, and told by its record alone. */
export const groundingOf = ({ kind, id, sourceId, section, text }: MemoryEntry): Grounding => ({
  kind,
  id,
  ...(sourceId !== undefined && { sourceId }),
  section: safeText(section),
  ...((kind === 'rule' || kind === 'chunk') && { quote: safeText(shorten(text, MAX_QUOTE)) }),
});

const MAX_SECTIONS = 500;

export const knowledgeSectionOf = (grounds: readonly Grounding[]): string =>
  cutText([...new Set(grounds.map(({ section }) => section))].join('; '), MAX_SECTIONS);
