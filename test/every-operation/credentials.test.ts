import { describe, expect, test } from 'vitest';
import { send } from '../harness.ts';
import { distinct, exists, type Operation, operations } from './operations.ts';
import { askAsUser, bodyForUser, grants, userToken } from './user-tokens.ts';
import { andBack, freshened, theStage, validBody } from './validate.ts';

/** What an end user may ask by themself, without the version. */
const FOR_USERS = [
  'commentannotations/add',
  'commentannotations/get',
  'commentannotations/update',
  'commentannotations/delete',
  'commentannotations/count/get',
  'commentannotations/comments/add',
  'commentannotations/comments/get',
  'commentannotations/comments/update',
  'commentannotations/comments/delete',
  'notifications/get',
  'notifications/update',
  'notifications/config/get',
  'notifications/config/set',
  'crdt/get',
  'users/get',
  'auth/permissions/get',
];

/** Writes that concern nobody but the user who asks, and need no role on a document. */
const OWN_MATTERS = ['notifications/config/set'];

const nameOf = (path: string): string => path.split('/').slice(2).join('/');
const hasTokens = exists('/v2/auth/generate_token');

test('a user token is taken by exactly the operations that are for users', () => {
  const taking = operations
    .filter(({ endpoint }) => endpoint.auth === 'apiKeyOrUser')
    .map(({ path }) => path);
  const meant = operations.map(({ path }) => path).filter((path) => FOR_USERS.includes(nameOf(path)));
  expect(taking.sort()).toEqual(meant.sort());
});

describe.each(operations)('$path', (operation) => {
  const { auth } = operation.endpoint;

  test(`takes no credentials but those of its level, ${auth}`, async () => {
    const stage = await theStage();
    const { workspace } = stage.a;
    const body = freshened(JSON.stringify({ data: await validBody(distinctOf(operation), stage) }));
    const bearer: Record<string, string> = hasTokens
      ? { authorization: `Bearer ${await userToken(stage, grants(stage.a, 'editor').organization!)}` }
      : {};
    const tries: [string, Record<string, string>, string[]][] = [
      ['none', {}, ['public']],
      ['API key', workspace.keyHeaders, ['public', 'apiKey', 'apiKeyOrUser']],
      ['workspace', workspace.workspaceHeaders, ['public', 'workspace']],
      ['user token', bearer, ['public', 'apiKeyOrUser']],
    ];
    for (const [name, headers, taken] of tries) {
      const [{ status }, changed] = await andBack(stage, () => send(operation.path, body, headers));
      const isTaken = taken.includes(auth) && !(name === 'user token' && !hasTokens && auth !== 'public');
      expect([name, status === 401], name).toEqual([name, !isTaken]);
      if (!isTaken) expect(changed).toEqual([]);
    }
  });
});

const distinctOf = (operation: Operation): Operation =>
  distinct.find(({ endpoint }) => endpoint === operation.endpoint)!;

const writesOfUsers = distinct.filter(
  ({ endpoint, path }) =>
    endpoint.auth === 'apiKeyOrUser' && endpoint.kind !== 'read' && !OWN_MATTERS.includes(nameOf(path)),
);

describe.runIf(hasTokens && writesOfUsers.length > 0).each(writesOfUsers)('$path', (operation) => {
  test('lets an editor write, and a viewer nowhere, wherever the role comes from', async () => {
    const stage = await theStage();
    const editors = grants(stage.a, 'editor');
    const body = await bodyForUser(operation, stage, await userToken(stage, editors.organization!));
    expect(body, 'No request of an editor succeeds.').toBeDefined();
    for (const [level, resources] of Object.entries(editors)) {
      const token = await userToken(stage, resources);
      const [{ status }] = await andBack(stage, () => askAsUser(operation, token, body));
      expect([level, status]).toEqual([level, 200]);
    }
    for (const [level, resources] of Object.entries(grants(stage.a, 'viewer'))) {
      const token = await userToken(stage, resources);
      const [reply, changed] = await andBack(stage, () => askAsUser(operation, token, body));
      expect([level, reply.status, reply.body.error?.status]).toEqual([level, 403, 'PERMISSION_DENIED']);
      expect(changed).toEqual([]);
    }
  });
});
