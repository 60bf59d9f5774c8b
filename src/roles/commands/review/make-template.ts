// Makes the data folder that reviews without a server begin with: a database with all tables and without rows. The only
// argument is the folder.
import '../../../private-files.ts';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../db/connections/connect.ts';
import { migrate } from '../../../db/migrate.ts';
import { prepareJobTables } from '../../../jobs/queue.ts';

/** Its copies live for one review, and are removed after a crash. */
const WITHOUT_CARE = `fsync = off
full_page_writes = off
synchronous_commit = off
autovacuum = off
`;

const [dataDir = ''] = process.argv.slice(2);
const silent = () => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };
const onError = (error: Error) => void process.stderr.write(`${error.message}\n`);
const database = await openDatabase({ dataDir, log, onError });
await migrate(database.db);
await prepareJobTables(database.forJobs, onError);
await database.close();
for (const name of readdirSync(dataDir)) {
  if (name !== 'postgres') rmSync(join(dataDir, name), { recursive: true, force: true });
}
writeFileSync(join(dataDir, 'postgres', 'local.conf'), WITHOUT_CARE);
