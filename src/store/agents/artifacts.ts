import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

export type ArtifactRow = ExecutionTables['artifacts'];

/** Inserts artifacts; existing ones stay as they are. */
export async function insertArtifacts(tx: Tx, rows: ArtifactRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('artifacts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const getArtifact = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  artifactId: string,
): Promise<ArtifactRow | undefined> =>
  db
    .selectFrom('artifacts')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('artifactId', '=', artifactId)
    .executeTakeFirst();

export const listArtifacts = (
  db: Db,
  { apiKeyId, executionId }: { apiKeyId: string; executionId: string },
): Promise<ArtifactRow[]> =>
  db
    .selectFrom('artifacts')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .orderBy('artifactId')
    .execute();
