import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';

/** One text of a judgment. */
export interface JudgmentTextKey {
  judgmentId: string;
  kind: 'review' | 'content';
}

export interface Likeness {
  from: string;
  to: string;
  /** Cosine of their nearest windows, -1 to 1. */
  similarity: number;
}

/** How alike each of some judgments is to each of others, where both have vectors of the same model and length. */
export async function listLikeness(
  db: Db,
  { apiKeyId }: Scope,
  some: readonly JudgmentTextKey[],
  others: readonly JudgmentTextKey[],
): Promise<Likeness[]> {
  const vectorsOf = (keys: readonly JudgmentTextKey[]) => sql`
    select vectors.judgment_id, vectors.model, vectors.embedding
    from unnest(cast(${keys.map(({ judgmentId }) => judgmentId)} as text[]),
      cast(${keys.map(({ kind }) => kind)} as text[])) as keys(judgment_id, kind)
    join judgment_vectors as vectors on vectors.api_key_id = ${apiKeyId}
      and vectors.judgment_id = keys.judgment_id and vectors.kind = keys.kind`;
  const { rows } = await sql<Likeness>`
    with ones as materialized (${vectorsOf(some)}), others as materialized (${vectorsOf(others)})
    select ones.judgment_id as "from", others.judgment_id as "to",
      max(1 - (ones.embedding <=> others.embedding)) as similarity
    from ones join others on others.model = ones.model and others.judgment_id <> ones.judgment_id
      and vector_dims(others.embedding) = vector_dims(ones.embedding)
    group by ones.judgment_id, others.judgment_id`.execute(db);
  return rows;
}
