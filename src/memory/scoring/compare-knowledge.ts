import type { Db } from '../../db/tables.ts';
import { cosine } from '../../lib/vectors.ts';
import { type Distance, type ItemWindow, listItemWindows } from '../../store/knowledge/search-knowledge.ts';
import { componentsOf } from '../../store/memory/stored-vectors.ts';
import type { KnowledgeDistances, KnowledgeQuery } from './scorer.ts';

/** Vectors read by one statement. */
const BATCH_SIZE = 2_000;

/** Distances of knowledge items to the query vector. Vectors of another model or length are skipped. */
export async function compareKnowledge(
  db: Db,
  question: KnowledgeQuery,
  signal: AbortSignal,
): Promise<KnowledgeDistances> {
  const { vector, limit } = question;
  const distances = new Map<string, Distance>();
  let after: ItemWindow | undefined;
  do {
    const windows: ItemWindow[] = await listItemWindows(db, question, after, BATCH_SIZE);
    signal.throwIfAborted();
    for (const { contentId, itemId, direction } of windows) {
      if (direction.length !== 2 * vector.length) continue;
      const distance = 1 - cosine(vector, componentsOf(direction));
      if (distance < (distances.get(itemId)?.distance ?? 3))
        distances.set(itemId, { contentId, itemId, distance });
    }
    after = windows.length < BATCH_SIZE ? undefined : windows.at(-1);
  } while (after);
  return {
    nearest: [...distances.values()]
      .sort((one, other) => one.distance - other.distance || (one.itemId < other.itemId ? -1 : 1))
      .slice(0, limit),
    requested: question.itemIds.flatMap((itemId) => distances.get(itemId) ?? []),
  };
}
