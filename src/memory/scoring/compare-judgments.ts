import type { Db } from '../../db/tables.ts';
import { dotProduct, magnitude } from '../../lib/vectors.ts';
import { listWindows } from '../../store/memory/judgment-windows.ts';
import { componentsOf } from '../../store/memory/stored-vectors.ts';
import type { ExactVectors, JudgmentCache } from './judgment-cache.ts';
import type { JudgmentCaches } from './judgment-caches.ts';
import type { JudgmentPairs } from './scorer.ts';

/** Cosines of the nearest windows of every pair, `from` by `to`; NaN without vectors of the same model and length. */
export async function compareJudgments(
  db: Db,
  caches: JudgmentCaches,
  { apiKeyId, from, to }: JudgmentPairs,
): Promise<Float64Array> {
  const ids = [...new Set([...from, ...to])];
  const [content, review] = [caches.loaded(apiKeyId, 'content'), caches.loaded(apiKeyId, 'review')];
  const cached = content && review && cachedWindows({ content, review }, ids);
  return compareWindows(cached ?? (await readWindows(db, apiKeyId, ids)), from, to);
}

/** Vectors of the reviewed content, or of decision and reasoning if there is none, by judgment. */
type Windows = Map<string, ExactVectors>;

/** See `compareJudgments`. */
export function compareWindows(known: Windows, from: readonly string[], to: readonly string[]): Float64Array {
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

/** From the caches of both kinds as they are; undefined if they lack a vector. */
export function cachedWindows(
  { content, review }: Record<'content' | 'review', JudgmentCache>,
  ids: readonly string[],
): Windows | undefined {
  const windows: Windows = new Map();
  for (const id of ids) {
    const ofContent = exactOf(content, id);
    const found = ofContent?.vectors.length === 0 ? exactOf(review, id) : ofContent;
    if (!found) return undefined;
    windows.set(id, found);
  }
  return windows;
}

function exactOf(cache: JudgmentCache, judgmentId: string): ExactVectors | undefined {
  const number = cache.ids.find(judgmentId);
  return number === undefined ? undefined : cache.exactVectors(number);
}

async function readWindows(db: Db, apiKeyId: string, ids: readonly string[]): Promise<Windows> {
  const windows: Windows = new Map();
  const stored = await listWindows(db, { apiKeyId }, ids);
  for (const kind of ['review', 'content'] as const) {
    const ofKind = Map.groupBy(
      stored.filter((one) => one.kind === kind),
      ({ judgmentId }) => judgmentId,
    );
    for (const [id, some] of ofKind)
      windows.set(id, {
        model: some[0]!.model,
        vectors: some.map(({ direction }) => {
          const vector = componentsOf(direction);
          return { vector, length: magnitude(vector) };
        }),
      });
  }
  return windows;
}
