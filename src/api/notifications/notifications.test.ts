import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { md5 } from '../../lib/ids.ts';

const jane = { userId: 'jane', name: 'Jane', email: 'jane@example.com' };
const texts = {
  displayHeadlineMessageTemplate: '{actionUser} moved {card} to {nowhere}',
  displayHeadlineMessageTemplateData: { card: 'Plan' },
  displayBodyMessage: 'See the board.',
};

const add = (workspace: TestWorkspace, data: object = {}) =>
  workspace.post('/v2/notifications/add', {
    organizationId: 'acme',
    documentId: 'home',
    createDocument: true,
    actionUser: jane,
    notifyUsers: [{ userId: 'sam', email: 'sam@example.com' }],
    ...texts,
    ...data,
  });
const get = (workspace: TestWorkspace, data: object) =>
  workspace.must('/v2/notifications/get', { organizationId: 'acme', ...data });
const ids = (rows: { id: string }[]) => rows.map((row) => row.id);

test('a notification reaches its document and its recipients, with its headline filled in', async () => {
  const workspace = await newWorkspace();
  const added = await add(workspace, { notificationId: 'n-1', notificationSourceData: { url: '/x' } });
  expect(added.body.result.data).toEqual({ success: true, message: 'Notification added successfully.' });
  const record = {
    id: 'n-1',
    notificationSource: 'custom',
    actionUser: jane,
    timestamp: expect.any(Number),
    ...texts,
    displayHeadlineMessage: 'Jane moved Plan to {nowhere}',
    notificationSourceData: { url: '/x' },
    isNotificationResolverUsed: false,
    notifyUsersByUserId: { [md5('sam')]: true },
    metadata: { apiKey: workspace.apiKeyId, organizationId: 'acme', documentId: 'home' },
  };
  expect(await get(workspace, { documentId: 'home' })).toEqual([record]);
  expect(await get(workspace, { userId: 'sam' })).toEqual([{ ...record, isUnread: true, forYou: true }]);
});

test('all users of the organization are notified unless notifyAll is false', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { notificationId: 'all' });
  await add(workspace, { notificationId: 'some', notifyAll: false });
  expect(ids(await get(workspace, { userId: 'sam', order: 'asc' }))).toEqual(['all', 'some']);
  expect(await get(workspace, { userId: 'kim' })).toMatchObject([
    { id: 'all', isUnread: true, forYou: false },
  ]);
});

test('a notification without a document belongs to the organization and reaches its members', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { documentId: undefined, notificationId: 'n' });
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [{ userId: 'kim' }] });
  expect(ids(await get(workspace, { userId: 'kim' }))).toEqual(['n']);
  expect(ids(await get(workspace, { userId: 'sam' }))).toEqual(['n']);
  expect(await get(workspace, { userId: 'stranger' })).toEqual([]);
});

test('users who can only open a public document are not members of the organization', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { notificationId: 'n' });
  const organization = (id: string) => [{ type: 'organization', id }];
  const homeAlone = [{ type: 'document', id: 'home', organizationId: 'acme' }];
  const inbox = async (userId: string, resources: object[]) => {
    const user = await newUserToken(workspace, { userId, resources });
    const { body } = await user.post('/v2/notifications/get', { organizationId: 'acme' });
    return ids(body.result.data);
  };
  expect(await inbox('member', organization('acme'))).toEqual(['n']);
  expect(await inbox('guest', homeAlone)).toEqual(['n']);
  expect(await inbox('sam', organization('globex'))).toEqual(['n']);
  expect(await inbox('stranger', organization('globex'))).toEqual([]);
});

test('notifications to all on a restricted document reach only users with access', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', accessType: 'restricted' }],
  });
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    documentId: 'home',
    users: [{ userId: 'kim' }],
  });
  await add(workspace, { notificationId: 'n' });
  await add(workspace, {
    notificationId: 'verified',
    verifyUserPermissions: true,
    notifyUsers: [{ userId: 'sam' }, { userId: 'kim' }],
  });
  expect(ids(await get(workspace, { userId: 'kim', order: 'asc' }))).toEqual(['n', 'verified']);
  expect(ids(await get(workspace, { userId: 'sam' }))).toEqual(['n']);
  expect(await get(workspace, { userId: 'lee' })).toEqual([]);
});

test('a reused id overwrites a notification, and keeps its position', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { notificationId: 'a', notifyAll: false });
  await add(workspace, { notificationId: 'b', notifyAll: false });
  await add(workspace, {
    notificationId: 'a',
    notifyAll: false,
    displayBodyMessage: 'Anew.',
    notifyUsers: [{ userId: 'kim' }],
  });
  expect(await get(workspace, { documentId: 'home', order: 'asc' })).toMatchObject([
    { id: 'a', displayBodyMessage: 'Anew.', notifyUsersByUserId: { [md5('kim')]: true } },
    { id: 'b' },
  ]);
  expect(ids(await get(workspace, { userId: 'sam' }))).toEqual(['b']);
  expect(ids(await get(workspace, { userId: 'kim' }))).toEqual(['a']);
});

test('concurrent additions of one id make one notification', async () => {
  const workspace = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      add(workspace, { notificationId: 'n', notifyUsers: [{ userId: 'b' }, { userId: `u${index}` }] }),
    ),
  );
  expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200));
  expect(await get(workspace, { documentId: 'home' })).toHaveLength(1);
});

test('a thousand users can be notified in one call', async () => {
  const workspace = await newWorkspace();
  const notifyUsers = Array.from({ length: 1_000 }, (_, index) => ({
    userId: `u${index}`,
    name: `U ${index}`,
  }));
  await add(workspace, {
    notificationId: 'n',
    notifyUsers: [...notifyUsers.slice(1), { userId: 'u1' }],
    notifyAll: false,
  });
  expect(ids(await get(workspace, { userId: 'u999' }))).toEqual(['n']);
  expect(await get(workspace, { userId: 'u0' })).toEqual([]);
});

test('a notification with access fields reaches only holders of a value of each field', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const grant = (userId: string, accessFields: string[]) =>
    deps.db
      .insertInto('grants')
      .values({
        apiKeyId: workspace.apiKeyId,
        organizationId: 'acme',
        resourceType: 'organization',
        resourceId: 'acme',
        userId,
        accessRole: 'editor',
        expiresAt: null,
        accessFields,
        createdAt: 1,
        updatedAt: 1,
      })
      .execute();
  await grant('both', ['team:web', 'level:1:a', 'other:x']);
  await grant('one', ['team:web']);
  const users = ['both', 'one', 'none'];
  await add(workspace, {
    notificationId: 'n',
    notifyUsers: users.map((userId) => ({ userId })),
    context: { access: { team: ['web', 'app'], level: '1:a' } },
  });
  const got = await Promise.all(users.map(async (userId) => ids(await get(workspace, { userId }))));
  expect(got).toEqual([['n'], [], []]);
});

test('the pages together contain the whole list, with each notification once', async () => {
  const workspace = await newWorkspace();
  for (let index = 0; index < 23; index++) {
    await add(workspace, {
      notificationId: `n${index}`,
      notifyUsers: [{ userId: index % 3 ? 'sam' : 'kim' }],
    });
  }
  const whole = ids(await get(workspace, { userId: 'sam' }));
  expect(new Set(whole).size).toBe(23);
  for (const order of ['asc', 'desc']) {
    for (const filter of [{ userId: 'sam' }, { documentId: 'home' }, { userId: 'sam', documentId: 'home' }]) {
      const seen: string[] = [];
      let pageToken: string | undefined;
      do {
        const data = { organizationId: 'acme', ...filter, order, pageSize: 5, pageToken };
        const { body } = await workspace.post('/v2/notifications/get', data);
        seen.push(...ids(body.result.data));
        pageToken = body.result.pageToken;
      } while (pageToken);
      expect(seen).toEqual(order === 'desc' ? whole : whole.toReversed());
    }
  }
});

test('a list can be filtered by location and by ids', async () => {
  const workspace = await newWorkspace();
  await add(workspace, { notificationId: 'a', location: { id: 'top', locationName: 'Top' } });
  await add(workspace, { notificationId: 'b', location: { id: 7 } });
  await add(workspace, { notificationId: 'constructor' });
  expect(ids(await get(workspace, { documentId: 'home', locationId: 'top' }))).toEqual(['a']);
  expect(await get(workspace, { userId: 'sam', locationId: 7 })).toMatchObject([
    { id: 'b', metadata: { locationId: '7' } },
  ]);
  const wanted = { userId: 'sam', notificationIds: ['constructor', 'a', 'x'] };
  expect(ids(await get(workspace, wanted)).sort()).toEqual(['a', 'constructor']);
});

test('texts may be omitted if a resolver provides them', async () => {
  const workspace = await newWorkspace();
  const none = { displayHeadlineMessageTemplate: undefined, displayBodyMessage: undefined };
  const refused = await add(workspace, none);
  expect(refused.body.error.message).toBe(
    'displayHeadlineMessageTemplate is required.\ndisplayBodyMessage is required.',
  );
  await add(workspace, { ...none, isNotificationResolverUsed: true, notificationId: 'n' });
  const [record] = await get(workspace, { userId: 'sam' });
  expect(record).toMatchObject({ id: 'n', isNotificationResolverUsed: true });
  expect(record).not.toHaveProperty('displayHeadlineMessage');
});

test('names in a notification complete the stored user, and overwrite nothing', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    users: [{ userId: 'jane', name: 'Jane D.' }],
  });
  await add(workspace, {});
  expect(await get(workspace, { documentId: 'home' })).toMatchObject([
    { actionUser: { ...jane, name: 'Jane D.' } },
  ]);
});

test('a notification with a generated id, too, creates its organization, and nothing without its document', async () => {
  const workspace = await newWorkspace();
  const sent = { organizationId: 'acme', ...texts, actionUser: jane, notifyUsers: [{ userId: 'sam' }] };
  const withDocument = await workspace.post('/v2/notifications/add', { ...sent, documentId: 'home' });
  expect(withDocument.body.error).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
  expect(await workspace.must('/v2/organizations/get')).toEqual([]);
  const withoutCreation = await workspace.post('/v2/notifications/add', {
    ...sent,
    createOrganization: false,
  });
  expect(withoutCreation.body.error).toEqual({ status: 'NOT_FOUND', message: 'Organization does not exist' });
  await Promise.all([1, 2, 3].map(() => workspace.must('/v2/notifications/add', sent)));
  expect(await get(workspace, { userId: 'sam' })).toHaveLength(3);
  const { deps } = await testApp();
  const events = await deps.db
    .selectFrom('events')
    .select('name')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', '=', 'organization.add')
    .execute();
  expect(events).toHaveLength(1);
});

test('missing documents and organizations are created only on request', async () => {
  const workspace = await newWorkspace();
  const lost = await add(workspace, { createDocument: undefined });
  expect([lost.status, lost.body.error.message]).toEqual([404, 'Document does not exist']);
  const homeless = await add(workspace, { createOrganization: false });
  expect([homeless.status, homeless.body.error.message]).toEqual([404, 'Organization does not exist']);
  expect(await get(workspace, { documentId: 'home' })).toEqual([]);
});

test('a notification has an id for addresses, a recipient, and access fields without colons', async () => {
  const workspace = await newWorkspace();
  for (const [data, message] of [
    [{ notificationId: 'a:b' }, 'notificationId must be letters, digits, _ and - only.'],
    [{ notificationId: '__proto__' }, 'notificationId must not be __proto__.'],
    [{ notifyUsers: [], notifyAll: false }, 'notifyUsers must not be empty.'],
    [{ notifyUsers: undefined }, 'notifyUsers is required.'],
    [
      { context: { access: { 'a:b': 'x' } } },
      'context.access.a:b must be 1 to 200 characters without a colon.',
    ],
  ] as const) {
    const { body } = await add(workspace, data);
    expect(body.error.status).toBe('INVALID_ARGUMENT');
    expect(body.error.message.replaceAll('"', '')).toContain(message);
  }
});

test('a list without a document or a user is refused', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post('/v2/notifications/get', { organizationId: 'acme' });
  expect(body.error).toEqual({ status: 'INVALID_ARGUMENT', message: 'documentId or userId is required.' });
});

test('an addition does not wait for a transaction that holds a user of whom it has nothing to learn', async () => {
  const workspace = await newWorkspace();
  await add(workspace);
  const { deps } = await testApp();
  await deps.db.transaction().execute(async (tx) => {
    await sql`select 1 from users where api_key_id = ${workspace.apiKeyId} for update`.execute(tx);
    for (const more of [{ createDocument: false }, { notificationId: 'named' }]) {
      const { status, body } = await add(workspace, more);
      expect(status, JSON.stringify(body)).toBe(200);
    }
  });
  // Names and addresses that are missing are still added.
  await add(workspace, { actionUser: { userId: 'eve' } });
  await add(workspace, { actionUser: { userId: 'eve', name: 'Eve' }, createDocument: false });
  await add(workspace, { actionUser: { userId: 'eve', name: 'Eva', email: 'eve@example.com' } });
  const { rows } = await sql`select name, email from users
    where api_key_id = ${workspace.apiKeyId} and user_id = 'eve'`.execute(deps.db);
  expect(rows).toEqual([{ name: 'Eve', email: 'eve@example.com' }]);
});
