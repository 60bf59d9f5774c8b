import type { z } from 'zod';
import type { NewJudgment } from '../annotations/decisions/causes.ts';
import type { Tx } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import type { NewJudgmentInput, newJudgment } from '../shapes/memory/new-judgment.ts';
import { writeJudgments } from '../store/memory/judgments.ts';

type Parsed = z.ZodSafeParseResult<z.output<typeof newJudgment>>;

export interface Imported {
  added: number;
  replaced: number;
  failed: { index: number; message: string }[];
}

/** So many are written in one transaction, which holds them for some ten milliseconds. */
const AT_ONCE = 100;

type Transaction = (work: (tx: Tx) => Promise<Set<string>>) => Promise<Set<string>>;

/**
 * Writes judgments that come from elsewhere; those that are faulty are told of by their index, and so is one whose id
 * a later one of the same call has: the later one counts. They are written in several short transactions, so that
 * others need not wait for all of them; each judgment is there with its event or not at all.
 */
export async function importJudgments(
  transaction: Transaction,
  scope: Scope,
  items: readonly Parsed[],
  messageOf: (error: z.ZodError) => string,
): Promise<Imported> {
  const failed: Imported['failed'] = [];
  const last = new Map<string, number>();
  for (const [index, { data }] of items.entries()) if (data?.id !== undefined) last.set(data.id, index);
  const judgments = items.flatMap(({ data, error }, index): NewJudgment[] => {
    if (error) failed.push({ index, message: messageOf(error) });
    else if (data.id !== undefined && last.get(data.id) !== index) {
      failed.push({ index, message: `judgments[${last.get(data.id)}] has the same id and takes its place.` });
    } else return [rowOf(data)];
    return [];
  });
  let added = 0;
  for (let from = 0; from < judgments.length; from += AT_ONCE) {
    const part = judgments.slice(from, from + AT_ONCE);
    added += (await transaction((tx) => writeJudgments(tx, scope, part))).size;
  }
  return { added, replaced: judgments.length - added, failed };
}

const rowOf = (item: NewJudgmentInput): NewJudgment => ({
  judgmentId: item.id ?? newId('jdg'),
  organizationId: item.organizationId ?? '',
  documentId: item.documentId ?? '',
  annotationId: item.annotationId ?? null,
  commentId: null,
  origin: 'import',
  decision: item.decision,
  reasoning: item.reasoning,
  content: item.content ?? null,
  contentType: item.contentType ?? null,
  confidence: item.confidence ?? null,
  judgeType: item.judgeType,
  reviewerId: item.actionUser.userId,
  actionUser: item.actionUser,
  // Who reads a judgment tells by this that an agent made it.
  agent: item.agent ?? (item.judgeType === 'agent' ? { agentId: item.actionUser.userId } : null),
  createdAt: item.createdAt ?? Date.now(),
});
