import { expect, test } from 'vitest';
import type { EventClient } from '../../../test/fakes/event-source.ts';
import { type EventStage, newEventStage, organizationId } from '../../../test/live/event-stage.ts';
import { newUserToken, type TestUser } from '../../../test/people/user-token.ts';
import { until } from '../../../test/run/until.ts';
import { testApp } from '../../../test/service/harness.ts';
import { hashToken } from '../../lib/crypto.ts';
import { runMigration } from '../../store/documents/document-migrations.ts';

const member = (userId: string) => ({
  userId,
  resources: [{ type: 'organization', id: organizationId, accessRole: 'editor' }],
});
const open = async (stage: EventStage, user: TestUser, query: Record<string, string> = {}) => {
  const client = await stage.open(user.headers, query);
  expect(client.status).toBe(200);
  return client;
};
const summary = async (stage: EventStage, client: EventClient) =>
  (await stage.receivedBy(client)).map(({ event, data }) => [event, data.documentId]);
const lastEventOf = (client: EventClient) => client.events.at(-1);

test('events stop when a grant is revoked, and start when one is given', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  const closed = { organizationId, documentId: 'closed' };
  await must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'closed', accessType: 'restricted' }],
  });
  const bo = await newUserToken(stage.workspace, { userId: 'bo' });
  const client = await open(stage, bo);
  const resources = [{ type: 'document', id: 'closed', organizationId }];
  const states = (one: EventClient) => one.events.flatMap(({ data }) => data.data?.step ?? []);
  let step = 0;
  const broadcast = async () => {
    await must('/v2/livestate/broadcast', { ...closed, liveStateDataId: 's', data: { step: step++ } });
    await stage.receivedBy(client);
  };
  await broadcast();
  await must('/v2/auth/permissions/add', {
    user: { userId: 'bo' },
    permissions: { resources: resources.map((one) => ({ ...one, accessRole: 'viewer' })) },
  });
  // Relayed at once: an event right after a grant must not be lost.
  await broadcast();
  expect(states(client)).toEqual([1]);
  const onIt = await open(stage, bo, { documentId: 'closed' });
  await must('/v2/auth/permissions/remove', { userId: 'bo', permissions: { resources } });
  // A stream of that document ends.
  await onIt.ended;
  expect(lastEventOf(onIt)).toMatchObject({ event: 'end', data: { reason: 'document' } });
  // Grants are cached for a moment. After the first event that does not arrive, none arrives.
  let before = step;
  await until(async () => {
    before = step;
    await broadcast();
    return !states(client).includes(before);
  }, 'an event that does not arrive');
  await broadcast();
  expect(states(client).filter((one) => one >= before)).toEqual([]);
  expect((await stage.open(bo.headers, { documentId: 'closed' })).status).toBe(403);
});

test('a stream ends when its token is revoked, even that of a backend', async () => {
  const stage = await newEventStage();
  const clients = [await stage.open(), await open(stage, await newUserToken(stage.workspace, {}))];
  await stage.workspace.postAsWorkspace('/v2/workspace/authtoken/reset', {
    apiKey: stage.workspace.apiKeyId,
  });
  await Promise.all(clients.map(({ ended }) => ended));
  for (const client of clients)
    expect(lastEventOf(client)).toMatchObject({ event: 'end', data: { reason: 'token' } });
});

test('the stream of a backend ends when its replaced token expires, and that of a user goes on', async () => {
  const stage = await newEventStage();
  const { apiKeyId, token } = stage.workspace;
  const backend = await stage.open();
  const user = await open(stage, await newUserToken(stage.workspace, {}));
  const { deps } = await testApp();
  await deps.db
    .updateTable('apiKeyTokens')
    .set({ expiresAt: Date.now() - 1 })
    .where('apiKeyId', '=', apiKeyId)
    .where('tokenHash', '=', hashToken(token))
    .execute();
  await backend.ended;
  expect(lastEventOf(backend)).toMatchObject({ event: 'end', data: { reason: 'token' } });
  expect(user.events.map(({ event }) => event)).not.toContain('end');
});

test('a stream ends when its token expires', async () => {
  const { deps } = await testApp();
  const users: { expiresAt: number }[] = [];
  const userTokens = {
    ...deps.userTokens,
    async verify(token: string) {
      const verified = await deps.userTokens.verify(token);
      if (verified) users.push(verified.user);
      return verified;
    },
  };
  const stage = await newEventStage({ deps: { userTokens } });
  const client = await open(stage, await newUserToken(stage.workspace, {}));
  await stage.receivedBy(client);
  expect(client.events.map(({ event }) => event)).not.toContain('end');
  for (const user of users) user.expiresAt = Date.now();
  await client.ended;
  expect(lastEventOf(client)).toMatchObject({ event: 'end', data: { reason: 'token' } });
});

test('streams of users end when their organization is disabled, and no new ones start', async () => {
  const stage = await newEventStage();
  const user = await newUserToken(stage.workspace, member('bo'));
  const client = await open(stage, user);
  const backend = await stage.open();
  const disable = (disabled: boolean) =>
    stage.workspace.must('/v2/organizations/access/disablestate/update', {
      organizationIds: [organizationId],
      disabled,
    });
  await disable(true);
  await client.ended;
  expect(lastEventOf(client)).toMatchObject({ event: 'end', data: { reason: 'organization' } });
  expect((await stage.open(user.headers)).status).toBe(403);
  await disable(false);
  expect((await stage.open(user.headers)).status).toBe(200);
  await stage.receivedBy(backend);
});

test('a stream of a document ends with its deletion or its migration to another id', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  await must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'old' }, { documentId: 'gone' }],
  });
  await stage.relay();
  const user = await newUserToken(stage.workspace, member('bo'));
  const [onGone, onOld, everywhere, backend] = [
    await open(stage, user, { documentId: 'gone' }),
    await open(stage, user, { documentId: 'old' }),
    await open(stage, user),
    await stage.open(),
  ];
  await must('/v2/organizations/documents/migrate', {
    organizationId,
    documentId: 'old',
    newDocumentId: 'new',
  });
  await runMigrations(stage);
  await must('/v2/organizations/documents/delete', { organizationId, documentIds: ['gone'] });
  await stage.relay();
  await Promise.all([onGone.ended, onOld.ended]);
  const over = { event: 'end', data: { reason: 'document' } };
  expect(onOld.events).toMatchObject([{ event: 'document.migrate', data: { newDocumentId: 'new' } }, over]);
  expect(onGone.events).toMatchObject([{ event: 'document.delete', data: { documentId: 'gone' } }, over]);
  const migrated = ['document.migrate', 'old'];
  expect(await summary(stage, backend)).toEqual([migrated, ['document.delete', 'gone']]);
  // A user must not learn of documents that they may not have known of.
  expect(await summary(stage, everywhere)).toEqual([migrated]);
});

async function runMigrations({ workspace }: EventStage): Promise<void> {
  const { deps } = await testApp();
  const { workspaceId, apiKeyId } = workspace;
  const rows = await deps.db
    .selectFrom('documentMigrations')
    .select('migrationId')
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  for (const { migrationId } of rows) {
    const ref = { workspaceId, apiKeyId, organizationId, migrationId };
    await runMigration(deps.db, ref, new AbortController().signal);
  }
}
