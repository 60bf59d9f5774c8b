import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

interface StoredWindow {
  judgmentId: string;
  kind: 'review' | 'content';
  model: string;
  direction: Uint8Array;
}

/** Stored vectors of judgments, of both kinds. */
export const listWindows = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  judgmentIds: readonly string[],
): Promise<StoredWindow[]> => selectWindows(db, { apiKeyId, judgmentIds });

const selectWindows = prepared((db, key: { apiKeyId: string; judgmentIds: readonly string[] }) =>
  db
    .selectFrom('judgmentVectors')
    .select((eb) => [
      'judgmentId',
      eb.ref('kind').$castTo<StoredWindow['kind']>().as('kind'),
      'model',
      'embedding as direction',
    ])
    .where('apiKeyId', '=', key.apiKeyId)
    .where('judgmentId', '=', sql<string>`any(cast(${key.judgmentIds} as text[]))`),
);
