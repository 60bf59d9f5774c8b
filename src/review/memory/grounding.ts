import { z } from 'zod';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import { groundingOf, knowledgeSectionOf, type MemoryEntry } from './memory-entry.ts';

const MAX_GROUNDS = 10;

/** The field in which a model names what of the memory a finding rests on; none where it was given nothing. */
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

/** What a finding rests on by the marks that a model named, and how many of them name nothing that it was given. */
export function groundsOf(
  named: unknown,
  memory: readonly MemoryEntry[],
): { fields: Partial<DraftFinding>; unknown: number } {
  if (memory.length === 0) return { fields: {}, unknown: 0 };
  const marks = new Set([named].flat().flatMap(marksIn));
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
