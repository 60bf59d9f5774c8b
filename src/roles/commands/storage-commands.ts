import type { Db } from '../../db/tables.ts';
import { listLargest } from '../../store/platform/stored-bytes.ts';
import { table } from '../terminal/table.ts';

const inMb = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

/** The API keys that store most, one a line. */
export async function printUsage(db: Db, limit: number): Promise<string> {
  const rows = await listLargest(db, limit);
  const lines = rows.map(({ apiKeyId, bytes, rowBytes, fileBytes, addedBytes, countedAt }) => [
    apiKeyId,
    ...[bytes, rowBytes, fileBytes, addedBytes].map(inMb),
    countedAt === null ? 'never' : new Date(countedAt).toISOString(),
  ]);
  return table([['API KEY', 'MB', 'DATABASE', 'FILES', 'ADDED SINCE', 'COUNTED'], ...lines]);
}
