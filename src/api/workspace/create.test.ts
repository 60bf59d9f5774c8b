import { expect, test } from 'vitest';
import { send, testApp } from '../../../test/service/harness.ts';
import { randomId } from '../../lib/ids.ts';
import { setWorkspacePlan } from '../../store/platform/workspaces.ts';

const newEmail = () => `jane.${randomId(10)}@example.com`;

test('create returns the workspace with its owner, token and testing key', async () => {
  const ownerEmail = newEmail();
  const { status, body } = await send('/v2/workspace/create', { data: { ownerEmail, name: 'Jane' } });
  expect(status).toBe(200);
  const { data } = body.result;
  expect(data).toMatchObject({
    name: 'Jane workspace',
    owner: { email: ownerEmail, name: 'Jane', avatar: '' },
  });
  const [id, key] = Object.entries(data.apiKeyList)[0]!;
  expect(key).toEqual({
    id,
    type: 'testing',
    apiKeyName: `J${ownerEmail.split('@')[0]!.slice(1)} Test API Key`,
  });
});

test('twelve concurrent creations for one email make one workspace on the free plan', async () => {
  const ownerEmail = newEmail();
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      send('/v2/workspace/create', {
        data: { ownerEmail: index % 2 ? ownerEmail : ownerEmail.toUpperCase(), workspaceName: `w${index}` },
      }),
    ),
  );
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  expect(
    new Set(replies.filter((reply) => reply.status !== 200).map((reply) => reply.body.error.status)),
  ).toEqual(new Set(['PERMISSION_DENIED']));
});

test('create refuses disposable, empty and too long input with all problems at once', async () => {
  for (const ownerEmail of ['a@mailinator.com', 'a@deep.er.Mailinator.com']) {
    const disposable = await send('/v2/workspace/create', { data: { ownerEmail } });
    expect(disposable.body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'This email domain is not supported.',
    });
  }
  const many = await send('/v2/workspace/create', {
    data: { ownerEmail: 'nope', name: ' ', avatar: 'x'.repeat(2001) },
  });
  expect(many.status).toBe(400);
  expect(many.body.error.details.issues.map((issue: { path: string[] }) => issue.path[0])).toEqual(
    expect.arrayContaining(['ownerEmail', 'name', 'avatar']),
  );
});

test('the domain of an email that is too long is not looked up', async () => {
  const ownerEmail = `a@${'a.'.repeat(1_000)}mailinator.com`;
  const { body } = await send('/v2/workspace/create', { data: { ownerEmail } });
  expect(body.error.message).toBe('ownerEmail must have at most 320 characters.');
});

test('create reports the problem of each field', async () => {
  const { body } = await send('/v2/workspace/create', {
    data: { ownerEmail: 5, name: '', workspaceName: 'x'.repeat(201), avatar: null },
  });
  expect(body.error.message.split('\n')).toEqual([
    'ownerEmail must be a string.',
    'name must not be empty.',
    'workspaceName must have at most 200 characters.',
    'avatar must be a string.',
  ]);
});

test('on the paid plan one email can have five workspaces with different names', async () => {
  const ownerEmail = newEmail();
  const create = (workspaceName: string) =>
    send('/v2/workspace/create', { data: { ownerEmail, workspaceName } });
  const root = (await create('first')).body.result.data;
  const { deps } = await testApp();
  await deps.db.transaction().execute((tx) => setWorkspacePlan(tx, root.id, 'paid'));
  expect((await create('first')).body.error).toEqual({
    status: 'ALREADY_EXISTS',
    message: 'A workspace already exists for this email address',
  });
  const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`w${index}`)));
  const created = replies.filter((reply) => reply.status === 200).map((reply) => reply.body.result.data);
  expect(created).toHaveLength(4);
  expect(new Set(created.map((workspace) => workspace.owner.id))).toEqual(new Set([root.owner.id]));
  expect((await create('first')).body.error).toEqual({
    status: 'RESOURCE_EXHAUSTED',
    message: 'You have reached the maximum number of workspaces allowed for this email address.',
  });
});
