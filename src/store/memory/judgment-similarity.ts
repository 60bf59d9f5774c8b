import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { cosine } from '../../lib/vectors.ts';
import { vectorFrom } from './stored-vectors.ts';

/** One of the texts of a judgment. */
export interface JudgmentTextKey {
  judgmentId: string;
  kind: 'review' | 'content';
}

export interface Similarity {
  from: string;
  to: string;
  /** Cosine of their nearest windows, -1 to 1. */
  similarity: number;
}

interface Window {
  judgmentId: string;
  model: string;
  vector: Float32Array;
}

/** Similarities of every pair of two lists of judgments, as far as their vectors have the same model and length. */
export async function listSimilarities(
  db: Db,
  scope: Scope,
  some: readonly JudgmentTextKey[],
  others: readonly JudgmentTextKey[],
): Promise<Similarity[]> {
  const [from, to] = await Promise.all([windowsOf(db, scope, some), windowsOf(db, scope, others)]);
  const nearest = new Map<string, Similarity>();
  for (const one of from)
    for (const other of to) {
      if (one.judgmentId === other.judgmentId || one.model !== other.model) continue;
      if (one.vector.length !== other.vector.length) continue;
      const similarity = cosine(one.vector, other.vector);
      const key = JSON.stringify([one.judgmentId, other.judgmentId]);
      if (similarity > (nearest.get(key)?.similarity ?? -2))
        nearest.set(key, { from: one.judgmentId, to: other.judgmentId, similarity });
    }
  return [...nearest.values()];
}

async function windowsOf(db: Db, { apiKeyId }: Scope, keys: readonly JudgmentTextKey[]): Promise<Window[]> {
  const { rows } = await sql<Omit<Window, 'vector'> & { embedding: Uint8Array }>`
    select vectors.judgment_id, vectors.model, vectors.embedding
    from unnest(cast(${keys.map(({ judgmentId }) => judgmentId)} as text[]),
      cast(${keys.map(({ kind }) => kind)} as text[])) as keys(judgment_id, kind)
    join judgment_vectors as vectors on vectors.api_key_id = ${apiKeyId}
      and vectors.judgment_id = keys.judgment_id and vectors.kind = keys.kind`.execute(db);
  return rows.map(({ embedding, ...row }) => ({ ...row, vector: vectorFrom(embedding) }));
}
