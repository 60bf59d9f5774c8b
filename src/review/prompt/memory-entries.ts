import { z } from 'zod';
import { cutText, shorten } from '../../lib/text/cut-text.ts';
import { safeText } from '../../lib/text/html.ts';
import type { DraftFinding, Grounding } from '../../shapes/agents/execution.ts';
import type { MemoryEntry } from '../core/execution-strategy.ts';

export type UnmarkedEntry = Omit<MemoryEntry, 'mark'>;

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

const singleLine = (text: string, length: number): string =>
  shorten(text.replace(/\s+/g, ' ').trim(), length);

/** Cuts the entries to what a prompt may hold and marks them. Later entries of every kind are dropped first. */
export function markEntries(entries: readonly UnmarkedEntry[]): MemoryEntry[] {
  const counts = new Map<string, number>();
  const interleaved = entries
    .map((entry) => {
      const rank = counts.get(entry.kind) ?? 0;
      counts.set(entry.kind, rank + 1);
      return { entry, rank };
    })
    .sort((a, b) => a.rank - b.rank);
  const kept = new Map<string, UnmarkedEntry[]>();
  let chars = 0;
  for (const { entry } of interleaved) {
    const short = {
      ...entry,
      text: singleLine(entry.text, MAX_ENTRY),
      section: singleLine(entry.section, MAX_SECTION),
    };
    chars += short.text.length + short.section.length;
    if (chars > MAX_CHARS) break;
    kept.set(entry.kind, [...(kept.get(entry.kind) ?? []), short]);
  }
  return ORDER.flatMap((kind) =>
    (kept.get(kind) ?? []).map((entry, index) => ({ ...entry, mark: `${MARKS[kind]}${index + 1}` })),
  );
}

/** Text behind `{{memoryContext}}`: a line for each entry, under the heading of its kind. */
export const memoryText = (entries: readonly MemoryEntry[]): string =>
  ORDER.flatMap((kind) => {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    return ofKind.length === 0
      ? []
      : [HEADINGS[kind], ...ofKind.map(({ mark, section, text }) => `[${mark}] (${section}) ${text}`)];
  }).join('\n');

/** Field of the answer schema in which a model cites entries by their marks; no field without entries. */
export const groundingField = (memory: readonly MemoryEntry[]): Record<string, z.ZodType> =>
  memory.length === 0
    ? {}
    : {
        groundedBy: z
          .unknown()
          .optional()
          .meta({
            type: 'array',
            items: { type: 'string' },
            description:
              'The marks of the entries of the data block memory without which this would be no finding, such as R1; empty where it rests on the instructions alone.',
          }),
      };

const MAX_GROUNDS = 10;

/** Resolves the marks that a model cited for a finding; `unknown` counts the marks of no entry. */
export function groundsOf(
  cited: unknown,
  memory: readonly MemoryEntry[],
): { fields: Partial<DraftFinding>; unknown: number } {
  if (memory.length === 0) return { fields: {}, unknown: 0 };
  const marks = new Set([cited].flat().flatMap(marksIn));
  const grounds = memory
    .filter(({ mark }) => marks.has(mark))
    .slice(0, MAX_GROUNDS)
    .map(groundingOf);
  const unknown = [...marks].filter((mark) => !memory.some((entry) => entry.mark === mark)).length;
  if (grounds.length === 0) return { fields: {}, unknown };
  return {
    fields: { source: 'knowledge', knowledgeSection: knowledgeSectionOf(grounds), groundedBy: grounds },
    unknown,
  };
}

const marksIn = (value: unknown): string[] =>
  typeof value === 'string' ? (value.match(/\b[A-Z]\d{1,3}\b/g) ?? []) : [];

const MAX_QUOTE = 300;

/** Quotes rules and chunks only: judgments and patterns hold words of people, which a finding must not repeat. */
const groundingOf = ({ kind, id, sourceId, section, text }: MemoryEntry): Grounding => ({
  kind,
  id,
  ...(sourceId !== undefined && { sourceId }),
  section: safeText(section),
  ...((kind === 'rule' || kind === 'chunk') && { quote: safeText(shorten(text, MAX_QUOTE)) }),
});

const MAX_SECTIONS = 500;

const knowledgeSectionOf = (grounds: readonly Grounding[]): string =>
  cutText([...new Set(grounds.map(({ section }) => section))].join('; '), MAX_SECTIONS);
