import type { z } from 'zod';
import type { NewJudgment } from '../annotations/decisions/build-judgment.ts';
import { agentOfAssistant } from '../annotations/decisions/judgment-content.ts';
import type { Tx } from '../db/tables.ts';
import { newTimedId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import type { NewJudgmentInput, newJudgment } from '../shapes/memory/new-judgment.ts';
import { writeJudgments } from '../store/memory/judgments.ts';

type Parsed = z.ZodSafeParseResult<z.output<typeof newJudgment>>;

export interface ImportResult {
  added: number;
  replaced: number;
  failed: { index: number; message: string }[];
}

/** Judgments per transaction, which holds its locks for some ten milliseconds. */
const BATCH_SIZE = 100;

type Transaction = (work: (tx: Tx) => Promise<Set<string>>) => Promise<Set<string>>;

/**
 * Imports judgments. Invalid items are reported by index, and so are items whose id occurs again later in the call: the
 * last one wins. What an assistant imports is its own judgment. Written in several short transactions; each judgment commits together with its event.
 */
export async function importJudgments(
  transaction: Transaction,
  scope: Scope,
  items: readonly Parsed[],
  messageOf: (error: z.ZodError) => string,
  assistant?: string,
): Promise<ImportResult> {
  const failed: ImportResult['failed'] = [];
  const last = new Map<string, number>();
  for (const [index, { data }] of items.entries()) if (data?.id !== undefined) last.set(data.id, index);
  const judgments = items.flatMap(({ data, error }, index): NewJudgment[] => {
    if (error) failed.push({ index, message: messageOf(error) });
    else if (data.id !== undefined && last.get(data.id) !== index) {
      failed.push({ index, message: `judgments[${last.get(data.id)}] has the same id and takes its place.` });
    } else return [assistant === undefined ? rowOf(data) : { ...rowOf(data), ...judgedBy(assistant) }];
    return [];
  });
  let added = 0;
  for (let from = 0; from < judgments.length; from += BATCH_SIZE) {
    const part = judgments.slice(from, from + BATCH_SIZE);
    added += (await transaction((tx) => writeJudgments(tx, scope, part))).size;
  }
  return { added, replaced: judgments.length - added, failed };
}

const judgedBy = (assistant: string) => ({ judgeType: 'agent', agent: agentOfAssistant(assistant) }) as const;

const rowOf = (item: NewJudgmentInput): NewJudgment => ({
  judgmentId: item.id ?? newTimedId('jdg'),
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
  // Readers recognize judgments of agents by this field.
  agent: item.agent ?? (item.judgeType === 'agent' ? { agentId: item.actionUser.userId } : null),
  createdAt: item.createdAt ?? Date.now(),
});
