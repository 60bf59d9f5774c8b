import type { Db, Tx } from '../db/tables.ts';
import type { ExecutionTables } from '../db/tables/executions.ts';
import type { Scope } from '../lib/scope.ts';

export type ArtifactRow = ExecutionTables['artifacts'];

export async function insertArtifact(tx: Tx, row: ArtifactRow): Promise<void> {
  await tx.insertInto('artifacts').values(row).execute();
}

export const getArtifact = (db: Db, { apiKeyId }: Scope, artifactId: string): Promise<ArtifactRow | undefined> =>
  db
    .selectFrom('artifacts')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('artifactId', '=', artifactId)
    .executeTakeFirst();
