import { setImmediate } from 'node:timers/promises';
import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { Embeddings } from '../outside/embed/embedder.ts';
import type { JudgmentFilters, MemoryPlace } from '../shapes/judgment.ts';
import {
  judgmentsById,
  readRankingSlice,
  type TimeKey,
  type WantedVector,
} from '../store/judgment-ranking.ts';
import type { StoredJudgment } from '../store/judgments.ts';
import type { TextKind } from './judgment-text.ts';
import { countIfLarge, findLikely, type Likely } from './likely-judgments.ts';
import { best, count, emptyTally, type Tally, wantedWords } from './ranking-score.ts';

/** What memory is asked with. */
export interface Recall {
  db: Db;
  embeddings: Embeddings;
  /** With more than so many judgments an index says which are compared, where there is one. By default 50,000. */
  large?: number;
}

export interface RankRequest {
  query: string;
  /** Compared with the decision and its reasoning, or with what was reviewed. */
  kind: TextKind;
  place: MemoryPlace;
  filters: JudgmentFilters;
  limit: number;
  signal?: AbortSignal | undefined;
}

export interface Ranked {
  judgment: StoredJudgment;
  /** Plain cosine of the query and the nearest window, -1 to 1; 0 where there is no vector to compare with. */
  similarity: number;
  /** What the order follows: meaning and words together. Only good for comparing within one answer. */
  score: number;
}

/** As many judgments are read at once where nothing else can be asked meanwhile. */
const SLICE = 2_000;

/**
 * The judgments of a place that speak of what is asked for, best first, and how many there are in the place after
 * filters. Each of them is looked at, so that nothing is missed; where they are too many for that, those that
 * indexes find. Throws `EmbedFailure` where the query cannot be turned into a vector.
 */
export async function rankJudgments(
  { db, embeddings, large }: Recall,
  scope: Scope,
  { query, kind, place, filters, limit, signal }: RankRequest,
): Promise<{ ranked: Ranked[]; totalInScope: number }> {
  const { current } = embeddings;
  const words = wantedWords(query);
  const rows = db.getExecutor().adapter.supportsMultipleConnections ? undefined : SLICE;

  const readAll = async (
    vectors: readonly WantedVector[],
    among: readonly string[] | undefined,
  ): Promise<Tally> => {
    const tally = emptyTally(
      words,
      vectors.map(({ model }) => model),
    );
    let after: TimeKey | undefined;
    do {
      const slice = await readRankingSlice(
        db,
        scope,
        place,
        filters,
        { kind, words, vectors, keep: limit },
        { after, rows, among },
      );
      count(tally, slice.candidates);
      after = slice.next;
      if (after) await setImmediate();
      signal?.throwIfAborted();
    } while (after);
    return tally;
  };

  const read = async (own: WantedVector, likely: Likely | undefined): Promise<Tally> => {
    const among = likely?.judgmentIds;
    let tally = await readAll([own], among);
    // While another model takes over, each part is compared with what its own model makes of the query.
    const earlier = [...tally.models].flatMap((model) =>
      model === '' || model === current.model ? [] : (embeddings.of(model) ?? []),
    );
    if (earlier.length > 0) {
      const others = earlier.map(async (embedder) => ({
        model: embedder.model,
        vector: await embedder.embedQuery(query, signal && { signal }),
      }));
      tally = await readAll([own, ...(await Promise.all(others))], among);
    }
    return likely ? { ...tally, total: likely.total, frequencies: likely.frequencies } : tally;
  };

  const looked = { scope, place, filters };
  const [vector, many] = await Promise.all([
    current.embedQuery(query, signal && { signal }),
    rows === undefined ? countIfLarge(db, looked, kind, current.model, large) : undefined,
  ]);
  const own = { model: current.model, vector };
  const likely =
    many === undefined ? undefined : await findLikely(db, looked, { kind, words, limit }, own, many);
  signal?.throwIfAborted();
  let tally = await read(own, likely);
  let scored = best(tally, words, limit);
  if (likely && scored.length < Math.min(limit, likely.total)) {
    tally = await read(own, undefined);
    scored = best(tally, words, limit);
  }
  const judgments = await judgmentsById(
    db,
    scope,
    scored.map(({ judgmentId }) => judgmentId),
  );
  return {
    // One that was revoked in between is gone.
    ranked: scored.flatMap(({ judgmentId, similarity, score }) => {
      const judgment = judgments.get(judgmentId);
      return judgment ? [{ judgment, similarity, score }] : [];
    }),
    totalInScope: tally.total,
  };
}
