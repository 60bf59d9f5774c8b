import { describe, expect, test } from 'vitest';
import { send } from '../service/harness.ts';
import { distinct, exists, type Operation, operations } from './operations.ts';
import { differences, fingerprint } from './tenant-rows.ts';
import { askAsUser, bodyForUser, closings, FOR_VIEWERS, grants, levels, userToken } from './user-tokens.ts';
import { runAndRestore, sharedStage, validBody, withFreshNames, withShortWaits } from './validate.ts';

/** Operations that accept a user token. */
const FOR_USERS = [
  '/v2/commentannotations/add',
  '/v2/commentannotations/get',
  '/v2/commentannotations/update',
  '/v2/commentannotations/delete',
  '/v2/commentannotations/count/get',
  '/v2/commentannotations/unread/get',
  '/v2/commentannotations/unread/clear',
  '/v2/commentannotations/comments/add',
  '/v2/commentannotations/comments/get',
  '/v2/commentannotations/comments/update',
  '/v2/commentannotations/comments/delete',
  '/v2/commentannotations/reactions/add',
  '/v2/commentannotations/reactions/get',
  '/v2/commentannotations/reactions/delete',
  '/v2/attachments/create',
  '/v2/attachments/get',
  '/v2/attachments/list',
  '/v2/attachments/delete',
  '/v2/notifications/get',
  '/v2/notifications/update',
  '/v2/notifications/config/get',
  '/v2/notifications/config/set',
  '/v2/crdt/get',
  '/v2/users/get',
  '/v2/auth/permissions/get',
  '/v2/organizations/documents/get',
  '/v2/presence/add',
  '/v2/presence/get',
  '/v2/presence/update',
  '/v2/presence/delete',
  '/v2/livestate/broadcast',
  '/v2/livestate/get',
  '/v2/agents/execution/list',
  '/v2/agents/execution/get',
  '/v2/agents/execution/events',
  '/v2/agents/execution/findings',
  '/v2/agents/execution/causes',
  '/v2/agents/findings/decide',
];

const hasTokens = exists('/v2/auth/generate_token');

test('exactly the operations for users accept a user token', () => {
  const accepting = operations
    .filter(({ endpoint }) => endpoint.auth === 'apiKeyOrUser')
    .map(({ path }) => path);
  expect(accepting.filter((path) => !FOR_USERS.includes(path.replace('/v1/', '/v2/')))).toEqual([]);
  expect(FOR_USERS.filter((path) => exists(path) && !accepting.includes(path))).toEqual([]);
});

describe.each(operations)('$path', (operation) => {
  const { auth } = operation.endpoint;

  test(`accepts only the credentials of its level, ${auth}`, async () => {
    const stage = await sharedStage();
    const { workspace } = stage.a;
    const body = withShortWaits(
      withFreshNames(JSON.stringify({ data: await validBody(distinctOf(operation), stage) })),
    );
    const bearer: Record<string, string> = hasTokens
      ? { authorization: `Bearer ${await userToken(stage, grants(stage.a, 'editor').organization)}` }
      : {};
    const attempts: [string, Record<string, string>, string[]][] = [
      [
        'session',
        stage.a.session.headers,
        ['public', 'workspace', 'apiKey', 'apiKeyOrUser', 'account', 'member'],
      ],
      ['none', {}, ['public']],
      ['API key', workspace.keyHeaders, ['public', 'apiKey', 'apiKeyOrUser']],
      ['workspace', workspace.workspaceHeaders, ['public', 'workspace']],
      ['user token', bearer, ['public', 'apiKeyOrUser']],
      [
        'personal token',
        { authorization: `Bearer ${stage.a.tokens.read}` },
        ['public', 'apiKey', 'apiKeyOrUser'],
      ],
    ];
    for (const [name, headers, acceptingLevels] of attempts) {
      const [{ status, body: answer }, changed] = await runAndRestore(stage, () =>
        send(operation.path, body, headers),
      );
      const isAccepted =
        acceptingLevels.includes(auth) && !(name === 'user token' && !hasTokens && auth !== 'public');
      const isUser = (name === 'user token' && hasTokens) || name === 'personal token';
      if (isAccepted) expect([name, status]).not.toEqual([name, 401]);
      else {
        expect([name, status]).toEqual([name, isUser ? 403 : 401]);
        // Credentials of another level are other headers, so that those of this level are missing.
        expect(answer.error.message).toMatch(
          isUser
            ? /^A (user|personal) token does not open this operation\. This operation takes the (credentials of (an API key|a workspace) in|session of the console,) /
            : auth === 'account' || auth === 'member'
              ? /^Invalid or missing credentials\.$/
              : /^Invalid or missing credentials\. The header.* (is|are) missing\.$/,
        );
      }
      if (!isAccepted) expect(changed).toEqual([]);
    }
  });
});

const withSessions = distinct.filter(({ endpoint: { auth } }) => auth !== 'public');

describe.each(withSessions)('$path', (operation) => {
  test('refuses a session in a request from another site', async () => {
    const stage = await sharedStage();
    const body = withShortWaits(withFreshNames(JSON.stringify({ data: await validBody(operation, stage) })));
    const headers = { ...stage.a.session.headers, 'sec-fetch-site': 'cross-site' };
    const [reply, changed] = await runAndRestore(stage, () => send(operation.path, body, headers));
    expect([reply.status, reply.body.error?.status, changed]).toEqual([403, 'PERMISSION_DENIED', []]);
  });
});

const distinctOf = (operation: Operation): Operation =>
  distinct.find(({ endpoint }) => endpoint === operation.endpoint)!;

const writesOfUsers = distinct.filter(
  ({ endpoint, path }) =>
    endpoint.auth === 'apiKeyOrUser' && endpoint.kind !== 'read' && !FOR_VIEWERS.includes(path),
);

describe.each(distinct.filter(({ path }) => FOR_VIEWERS.includes(path)))('$path', (operation) => {
  test.each(levels)('lets a viewer of the %s write', async (level) => {
    const stage = await sharedStage();
    const viewer = await userToken(stage, grants(stage.a, 'viewer')[level]);
    expect(await bodyForUser(operation, stage, viewer)).toBeDefined();
  });
});

describe.each(writesOfUsers)('$path', (operation) => {
  test.each(levels)('lets an editor of the %s write, but not a viewer', async (level) => {
    const stage = await sharedStage();
    const editor = await userToken(stage, grants(stage.a, 'editor')[level]);
    const body = await bodyForUser(operation, stage, editor);
    expect(body, 'No request of an editor succeeds.').toBeDefined();
    const viewer = await userToken(stage, grants(stage.a, 'viewer')[level]);
    const [reply, changed] = await runAndRestore(stage, () => askAsUser(operation, viewer, body));
    expect([reply.status, reply.body.error?.status]).toEqual([403, 'PERMISSION_DENIED']);
    expect(changed).toEqual([]);
  });
});

const ofUsers = distinct.filter(({ endpoint }) => endpoint.auth === 'apiKeyOrUser');

describe.each(ofUsers.filter(({ endpoint }) => endpoint.kind === 'read'))('$path', (operation) => {
  test('shows a viewer what it shows an editor', async () => {
    const stage = await sharedStage();
    const ask = async (role: 'viewer' | 'editor', body: unknown) => {
      const token = await userToken(stage, grants(stage.a, role).organization);
      const [reply] = await runAndRestore(stage, () => askAsUser(operation, token, body));
      return [reply.status, JSON.stringify(reply.body).split(stage.a.mark).length];
    };
    const editor = await userToken(stage, grants(stage.a, 'editor').organization);
    const body = await bodyForUser(operation, stage, editor);
    expect(body, 'No request of an editor succeeds.').toBeDefined();
    expect(await ask('viewer', body)).toEqual(await ask('editor', body));
  });
});

describe.each(ofUsers)('$path', (operation) => {
  test.each(Object.entries(closings))('shows and changes nothing for %s', async (_, { close, userId }) => {
    const stage = await sharedStage();
    const editors = grants(stage.a, 'editor').organization;
    const body = await bodyForUser(operation, stage, await userToken(stage, editors));
    const token = await userToken(stage, userId === stage.a.shared.user ? editors : [], userId);
    const [reply, changed] = await runAndRestore(stage, async () => {
      await close(stage.a);
      const closed = await fingerprint([stage.a.workspace]);
      const answer = await askAsUser(operation, token, body);
      return { answer, changes: differences(closed, await fingerprint([stage.a.workspace])) };
    });
    expect(changed).not.toEqual([]);
    expect(reply.changes).toEqual([]);
    expect(JSON.stringify(reply.answer.body)).not.toContain(stage.a.mark);
    expect([200, 403, 404]).toContain(reply.answer.status);
  });
});
