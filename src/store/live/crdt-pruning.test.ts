import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { emit } from '../../events/emit.ts';
import { pruneEditors } from './crdt-pruning.ts';

const DAY = 24 * 3_600_000;

const idsIn = async (table: 'events' | 'webhookMessages', { apiKeyId }: TestWorkspace) => {
  const { deps } = await testApp();
  const name = table === 'events' ? sql.ref('event_id') : sql.ref('message_id');
  const { rows } = await sql<{ id: string }>`select ${name} as id from ${sql.table(
    table === 'events' ? 'events' : 'webhook_messages',
  )} where api_key_id = ${apiKeyId} order by 1`.execute(deps.db);
  return rows.map(({ id }) => id);
};

test('editor events are pruned a day after they were relayed, and no others', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const now = Date.now();
  const crdtData = { id: 'e', lastUpdate: 'x', lastUpdatedBy: null, sessionId: null };
  const payload = { organizationId: 'o', documentId: 'd', editorId: 'e', crdtData };
  const raise = (id: string, name: 'crdt.update_data' | 'organization.delete', relayedAt: number | null) =>
    deps.db.transaction().execute(async (tx) => {
      if (name === 'crdt.update_data') await emit(tx, w, name, payload);
      else await emit(tx, w, name, { organizationId: 'o' });
      await sql`update events set event_id = ${id}, relayed_at = ${relayedAt}
        where api_key_id = ${w.apiKeyId} and event_id like 'evt_%'`.execute(tx);
    });
  await sql`delete from events where api_key_id = ${w.apiKeyId}`.execute(deps.db);
  await raise('fresh', 'crdt.update_data', now - DAY + 1_000);
  await raise('old', 'crdt.update_data', now - DAY - 1_000);
  await raise('other', 'organization.delete', now - DAY - 1_000);
  await raise('parked', 'crdt.update_data', now - DAY - 1_000);
  await raise('waiting', 'crdt.update_data', null);
  await sql`insert into event_faults (api_key_id, event_id, subscriber, tries, next_at, error)
    values (${w.apiKeyId}, 'parked', 'webhooks', 1, ${now + DAY}, 'x')`.execute(deps.db);
  await pruneEditors(deps.db, now);
  expect(await idsIn('events', w)).toEqual(['fresh', 'other', 'parked', 'waiting']);
});

test('editor messages are pruned after a week, unless a delivery waits for them', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const now = Date.now();
  const week = 7 * DAY;
  const message = async (id: string, type: string, createdAt: number, status: string) => {
    await sql`insert into webhook_messages (api_key_id, message_id, seq, event_type, body, created_at)
      values (${w.apiKeyId}, ${id}, 1, ${type}, '{}', ${createdAt})`.execute(deps.db);
    await sql`insert into webhook_deliveries
        (api_key_id, message_id, endpoint_id, seq, status, tries, attempts, created_at)
      values (${w.apiKeyId}, ${id}, 'ep', 1, ${status}, 0, '[]', ${createdAt})`.execute(deps.db);
  };
  await message('fresh', 'crdt.update_data', now - week + 1_000, 'delivered');
  await message('failed', 'crdt.update_data', now - week - 1_000, 'failed');
  await message('held', 'crdt.update_data', now - week - 1_000, 'held');
  await message('old', 'crdt.update_data', now - week - 1_000, 'delivered');
  await message('other', 'comment.add', now - week - 1_000, 'delivered');
  await pruneEditors(deps.db, now);
  expect(await idsIn('webhookMessages', w)).toEqual(['fresh', 'held', 'other']);
  const { rows } = await sql<{ id: string }>`select message_id as id from webhook_deliveries
    where api_key_id = ${w.apiKeyId} order by 1`.execute(deps.db);
  expect(rows.map(({ id }) => id)).toEqual(['fresh', 'held', 'other']);
});
