import { sql } from 'kysely';
import { json } from '../../src/db/sql-fragments.ts';
import type { Db } from '../../src/db/tables.ts';
import type { Scope } from '../../src/lib/scope.ts';
import { directionOf } from '../../src/store/memory/stored-vectors.ts';

/** A judgment with given words and vectors, so that no model is needed. */
export interface Vectored {
  judgmentId: string;
  organizationId?: string;
  documentId?: string;
  decision?: string;
  createdAt: number;
  words: readonly string[];
  /** Empty while the judgment waits for vectors. */
  model: string;
  /** The vectors of its windows, of kind `review`. */
  vectors: readonly ArrayLike<number>[];
}

/** Inserts judgments with their words and vectors. */
export async function writeVectored(
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  judgments: readonly Vectored[],
): Promise<void> {
  const rows = judgments.map(({ vectors: _, ...row }) => ({
    organizationId: '',
    documentId: '',
    decision: 'comment',
    ...row,
  }));
  await sql`
    insert into judgments (api_key_id, judgment_id, organization_id, document_id, origin, decision, reasoning,
      judge_type, reviewer_id, action_user, created_at, recorded_at, review_words, embedded_with)
    select ${apiKeyId}, "judgmentId", "organizationId", "documentId", 'import', decision, array_to_string(words, ' '),
      'human', 'ana', '{"userId":"ana"}', "createdAt", 0, array_to_tsvector(words), model
    from jsonb_to_recordset(${json(rows)}) as item("judgmentId" text, "organizationId" text, "documentId" text,
      decision text, "createdAt" bigint, words text[], model text)`.execute(db);
  const windows = judgments.flatMap(({ judgmentId, model, vectors }) =>
    vectors.map((vector, windowIndex) => ({ judgmentId, model, windowIndex, vector: directionOf(vector) })),
  );
  await sql`
    insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
    select ${apiKeyId}, item.* from unnest(cast(${windows.map(({ judgmentId }) => judgmentId)} as text[]),
      cast(${windows.map(() => 'review')} as text[]), cast(${windows.map(({ windowIndex }) => windowIndex)} as smallint[]),
      cast(${windows.map(({ model }) => model)} as text[]), cast(${windows.map(({ vector }) => vector)} as bytea[])) as item`.execute(
    db,
  );
}
