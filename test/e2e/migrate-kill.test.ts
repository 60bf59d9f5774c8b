import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { untilBlocks } from '../database/lock-waits.ts';
import { atEnd } from '../run/at-end.ts';
import { rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { ownTenant } from '../service/own-tenant.ts';
import { ownService } from '../service/worker-service.ts';

const KILLS = rounds(1, 3, 'KILLS');
const ANNOTATIONS = 2_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test(`a document whose service is killed ${KILLS} times during its migration is complete, under one id`, {
  timeout: 900_000 + KILLS * 40_000,
}, async () => {
  const service = await ownService();
  const tenant = await ownTenant(() => service);
  const must = (path: string, data: object) => tenant.must(path, { organizationId: 'o', ...data });

  await must('/v2/organizations/documents/add', { documents: [{ documentId: 'd0', documentName: 'D' }] });
  for (let from = 0; from < ANNOTATIONS; from += 500) {
    await must('/v2/commentannotations/add', {
      documentId: 'd0',
      commentAnnotations: Array.from({ length: 500 }, (_, index) => ({
        annotationId: `a${from + index}`,
        commentData: [{ commentText: 'x', from: { userId: 'ada' } }],
      })),
    });
  }

  const database = await openDatabase({ databaseUrl: service.databaseUrl, onError: () => {} });
  atEnd(() => database.close());
  for (let kill = 0; kill < KILLS; kill++) {
    const [documentId, newDocumentId] = [`d${kill}`, `d${kill + 1}`];
    const startMigration = async (): Promise<string> =>
      (await must('/v2/organizations/documents/migrate', { documentId, newDocumentId })).migrationId;
    const status = async () =>
      (await must('/v2/organizations/documents/migrate/status', { migrationId })).status;
    let migrationId = '';
    if (kill === 0) {
      // Certainly in the middle, since the migration waits for a lock.
      await database.db.transaction().execute(async (tx) => {
        await sql`lock table annotations in exclusive mode`.execute(tx);
        migrationId = await startMigration();
        await untilBlocks(tx);
        await service.kill('SIGKILL');
      });
    } else {
      migrationId = await startMigration();
      await until(async () => (await status()) !== 'pending', 'the start of the migration');
      // A random moment, possibly after the end of the migration.
      await pause(Math.random() * 150);
      await service.kill('SIGKILL');
    }
    await service.restart();
    await expect.poll(status, { timeout: 300_000, interval: 100 }).toBe('completed');
    const documents = await must('/v2/organizations/documents/get', {});
    expect(documents).toMatchObject([{ id: newDocumentId, documentName: 'D' }]);
  }
  expect(await service.kill('SIGTERM')).toBe(0);

  const { rows } =
    await sql`select document_id, count(*) as annotations, count(distinct annotation_number) as numbers,
      (select count(*) from comments where document_id = annotations.document_id) as comments
    from annotations group by document_id`.execute(database.db);
  expect(rows).toEqual([
    { documentId: `d${KILLS}`, annotations: ANNOTATIONS, numbers: ANNOTATIONS, comments: ANNOTATIONS },
  ]);
  const migrated = await sql`select payload ->> 'documentId' as id, count(*) as n from events
    where name = 'document.migrate' group by 1 order by min(seq)`.execute(database.db);
  expect(migrated.rows).toEqual(Array.from({ length: KILLS }, (_, kill) => ({ id: `d${kill}`, n: 1 })));
  const again = await sql<{ n: number }>`
    select count(*) as n from document_migrations where attempts > 1`.execute(database.db);
  expect(again.rows[0]!.n).toBeGreaterThan(0);
});
