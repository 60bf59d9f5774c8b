import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { meanDirection } from '../../lib/vectors.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import {
  type After,
  type HumanJudgment,
  leadingModel,
  listDecided,
  listHuman,
} from '../../store/memory/insight-queries.ts';
import { vectorFrom } from '../../store/memory/stored-vectors.ts';
import type { Decided } from './find-patterns.ts';

/** The newest of a place in which patterns are filtered for. */
const MAX_DECIDED = 5_000;
const PAGE = 250;
/** The newest of an API key that profiles are made from. */
const MAX_HUMAN = 100_000;
const HUMAN_PAGE = 250;

/** Called between pages, so that others get their turn and the work can be given up. */
export type Pause = () => Promise<void>;

async function* pages<Row extends After>(
  list: (after: After | undefined) => Promise<Row[]>,
  { size, most, pause }: { size: number; most: number; pause: Pause },
): AsyncGenerator<Row> {
  let after: After | undefined;
  for (let seen = 0; seen < most; seen += size) {
    const rows = await list(after);
    yield* rows;
    if (rows.length < size) return;
    after = rows.at(-1);
    await pause();
  }
}

/**
 * The newest judgments of a place that take a side and have their vectors. What was reviewed and what was said of it
 * count alike, where both are known. Who decides twice on one annotation counts once, as they did last.
 */
export async function readDecisions(
  db: Db,
  scope: Scope,
  organizationId: string,
  pause: Pause,
): Promise<Decided[]> {
  const model = await leadingModel(db, scope, organizationId);
  if (model === undefined) return [];
  const decided: Decided[] = [];
  const counted = new Set<string>();
  const list = (after: After | undefined) => listDecided(db, scope, organizationId, model, after, PAGE);
  for await (const row of pages(list, { size: PAGE, most: MAX_DECIDED, pause })) {
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

/** The newest judgments of people. */
export const readHumanJudgments = (db: Db, scope: Scope, pause: Pause): AsyncGenerator<HumanJudgment> =>
  pages((after) => listHuman(db, scope, after, HUMAN_PAGE), { size: HUMAN_PAGE, most: MAX_HUMAN, pause });
