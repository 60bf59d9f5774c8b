import type { Db } from '../../db/tables.ts';
import { dotProduct, magnitude } from '../../lib/vectors.ts';
import { listWindows } from '../../store/memory/judgment-windows.ts';
import { componentsOf } from '../../store/memory/stored-vectors.ts';
import type { JudgmentCache } from './judgment-cache.ts';
import type { JudgmentCaches } from './judgment-caches.ts';
import type { JudgmentPairs } from './scorer.ts';

/** Vectors of the reviewed content, or of decision and reasoning if there is none. */
interface Windows {
  model: string;
  vectors: Int16Array[];
}

/** Cosines of the nearest windows of every pair, `from` by `to`; NaN without vectors of the same model and length. */
export async function compareJudgments(
  db: Db,
  caches: JudgmentCaches,
  { apiKeyId, from, to }: JudgmentPairs,
): Promise<Float64Array> {
  const ids = [...new Set([...from, ...to])];
  const windows = cachedWindows(caches, apiKeyId, ids) ?? (await readWindows(db, apiKeyId, ids));
  const known = new Map(
    [...windows].map(([id, { model, vectors }]) => [
      id,
      { model, vectors: vectors.map((vector) => ({ vector, length: magnitude(vector) })) },
    ]),
  );
  const similarities = new Float64Array(from.length * to.length).fill(Number.NaN);
  for (const [row, one] of from.entries()) {
    const some = known.get(one);
    if (!some) continue;
    for (const [column, other] of to.entries()) {
      const others = known.get(other);
      if (other === one || others?.model !== some.model) continue;
      const at = row * to.length + column;
      for (const a of some.vectors)
        for (const b of others.vectors) {
          if (a.vector.length !== b.vector.length) continue;
          const product = dotProduct(a.vector, b.vector);
          const similarity = product === 0 ? 0 : product / (a.length * b.length);
          if (!(similarity <= similarities[at]!)) similarities[at] = similarity;
        }
    }
  }
  return similarities;
}

/** From the caches as the last ranking left them; undefined if they lack a vector. */
function cachedWindows(
  caches: JudgmentCaches,
  apiKeyId: string,
  ids: readonly string[],
): Map<string, Windows> | undefined {
  const [content, review] = [caches.loaded(apiKeyId, 'content'), caches.loaded(apiKeyId, 'review')];
  if (!content || !review) return undefined;
  const windows = new Map<string, Windows>();
  for (const id of ids) {
    const ofContent = exactOf(content, id);
    const found = ofContent?.vectors.length === 0 ? exactOf(review, id) : ofContent;
    if (!found) return undefined;
    windows.set(id, found);
  }
  return windows;
}

function exactOf(cache: JudgmentCache, judgmentId: string): Windows | undefined {
  const number = cache.ids.find(judgmentId);
  return number === undefined ? undefined : cache.exactVectors(number);
}

async function readWindows(db: Db, apiKeyId: string, ids: readonly string[]): Promise<Map<string, Windows>> {
  const windows = new Map<string, Windows>();
  const stored = await listWindows(db, { apiKeyId }, ids);
  for (const kind of ['review', 'content'] as const) {
    const ofKind = Map.groupBy(
      stored.filter((one) => one.kind === kind),
      ({ judgmentId }) => judgmentId,
    );
    for (const [id, some] of ofKind)
      windows.set(id, {
        model: some[0]!.model,
        vectors: some.map(({ direction }) => componentsOf(direction)),
      });
  }
  return windows;
}
