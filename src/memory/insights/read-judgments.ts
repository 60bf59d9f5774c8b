import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { meanDirection } from '../../lib/vectors.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import {
  type HumanJudgment,
  type JudgmentCursor,
  leadingModel,
  listDecided,
  listHuman,
} from '../../store/memory/insight-queries.ts';
import { vectorFrom } from '../../store/memory/stored-vectors.ts';
import type { DecidedJudgment } from './find-patterns.ts';

/** Limit of judgments that patterns are derived from, newest first. */
const MAX_DECIDED = 5_000;
const PAGE = 250;
/** Limit of judgments that profiles are derived from, newest first. */
const MAX_HUMAN = 100_000;
const HUMAN_PAGE = 250;

/**
 * Called between pages of judgments: renews the lease, yields to the event loop, throws if aborted or the lease is
 * lost.
 */
export type Checkpoint = () => Promise<void>;

async function* pages<Row extends JudgmentCursor>(
  list: (after: JudgmentCursor | undefined) => Promise<Row[]>,
  { size, max, checkpoint }: { size: number; max: number; checkpoint: Checkpoint },
): AsyncGenerator<Row> {
  let after: JudgmentCursor | undefined;
  for (let seen = 0; seen < max; seen += size) {
    const rows = await list(after);
    yield* rows;
    if (rows.length < size) return;
    after = rows.at(-1);
    await checkpoint();
  }
}

/**
 * The newest judgments of a place that take a side and have vectors. Both texts count equally if both are known.
 * Several decisions of a reviewer on one annotation count once, the last one.
 */
export async function readDecisions(
  db: Db,
  scope: Scope,
  organizationId: string,
  checkpoint: Checkpoint,
): Promise<DecidedJudgment[]> {
  const model = await leadingModel(db, scope, organizationId);
  if (model === undefined) return [];
  const decided: DecidedJudgment[] = [];
  const counted = new Set<string>();
  const list = (after: JudgmentCursor | undefined) =>
    listDecided(db, scope, organizationId, model, after, PAGE);
  for await (const row of pages(list, { size: PAGE, max: MAX_DECIDED, checkpoint })) {
    const { review, content, annotationId, decision, ...rest } = row;
    const once = JSON.stringify([row.organizationId, annotationId, row.reviewerId]);
    if (review === null || (annotationId !== null && counted.has(once))) continue;
    counted.add(once);
    const vectors = [review, ...(content === null ? [] : [content])].map(vectorFrom);
    decided.push({
      ...rest,
      side: sideOf(decision)!,
      knowsContent: content !== null,
      vector: meanDirection(vectors),
    });
  }
  return decided;
}

/** The newest judgments by people. */
export const readHumanJudgments = (
  db: Db,
  scope: Scope,
  checkpoint: Checkpoint,
): AsyncGenerator<HumanJudgment> =>
  pages((after) => listHuman(db, scope, after, HUMAN_PAGE), {
    size: HUMAN_PAGE,
    max: MAX_HUMAN,
    checkpoint,
  });
