import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../../test/service/harness.ts';

const PATH = '/v2/workspace/advancedwebhook/endpoints';
const url = 'https://example.com/hook';

async function newEnabledWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  return workspace;
}
const create = (workspace: TestWorkspace, data: object = {}) =>
  workspace.must(`${PATH}/create`, { url, ...data });

test('an endpoint is returned with null for omitted fields, and without its secret', async () => {
  const workspace = await newEnabledWorkspace();
  const { body } = await workspace.post(`${PATH}/create`, { url });
  const { result } = body;
  expect(result).toEqual({
    status: 'success',
    message: 'Advanced webhook endpoint created successfully.',
    data: {
      id: expect.stringMatching(/^ep_\w{20}$/),
      url,
      description: null,
      filterTypes: null,
      channels: null,
      disabled: false,
      disabledReason: null,
      failingSince: null,
      rateLimit: null,
      uid: null,
      metadata: null,
      createdAt: new Date(result.data.createdAt).toISOString(),
      updatedAt: result.data.createdAt,
    },
  });
  const { deps } = await testApp();
  const lanes = await deps.db
    .selectFrom('webhookLanes')
    .select(['endpointId', 'nextAt', 'failingSince', 'toldPercent'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(lanes).toEqual([{ endpointId: result.data.id, nextAt: null, failingSince: null, toldPercent: 0 }]);
});

test('all fields of an endpoint are stored and returned', async () => {
  const workspace = await newEnabledWorkspace();
  const chosen = {
    url: 'http://hooks.example.com:8443/a?b=c',
    description: 'Comments of Acme',
    filterTypes: ['comment.add', 'comment_annotation.suggestion_accept'],
    channels: ['acme', 'acme/home'],
    disabled: true,
    rateLimit: 20,
    uid: 'acme-1',
    metadata: { team: 'web', '{"': '' },
  };
  const created = await create(workspace, chosen);
  expect(created).toMatchObject({ ...chosen, disabledReason: 'caller' });
  expect((await workspace.must(`${PATH}/get`)).endpoints).toEqual([created]);
});

test('an endpoint has an address for http, with a message that says so', async () => {
  const workspace = await newEnabledWorkspace();
  for (const data of [{}, { url: 'example.com' }, { url: 'ftp://example.com/' }, { url: 7 }])
    expect((await workspace.post(`${PATH}/create`, data)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'url must be a valid http(s) URL.',
    });
});

const inward = (target: string) =>
  `url leads to an address that is not allowed: internal, loopback and link-local hosts are refused. The operator of the service allows one with \`redpen allow-host ${target}\` or REDPEN_ALLOW_HOSTS.`;
test('an address within the network, or with a password, is refused when it is saved', async () => {
  const workspace = await newEnabledWorkspace();
  const { id } = await create(workspace);
  for (const [forbidden, message] of [
    ['http://10.0.0.1/hook', inward('10.0.0.1:80')],
    ['https://169.254.169.254/latest/meta-data', inward('169.254.169.254:443')],
    ['http://[::ffff:192.168.0.1]/', inward("'[::ffff:c0a8:1]:80'")],
    ['http://[fd00::1]:8080/', inward("'[fd00::1]:8080'")],
    ['http://[fe80::1]/', inward("'[fe80::1]:80'")],
    ['https://0x0a000001/', inward('10.0.0.1:443')],
    ['https://user:pw@example.com/', 'url must not contain a user name or password.'],
  ]) {
    const refusal = { status: 'INVALID_ARGUMENT', message, details: { issues: [{ path: ['url'] }] } };
    expect((await workspace.post(`${PATH}/create`, { url: forbidden })).body.error).toMatchObject(refusal);
    const changed = await workspace.post(`${PATH}/update`, { endpointId: id, url: forbidden });
    expect(changed.body.error).toMatchObject(refusal);
  }
  expect((await workspace.must(`${PATH}/get`)).endpoints).toMatchObject([{ id, url }]);
});

test('empty lists, unknown events and null in a new endpoint are refused', async () => {
  const workspace = await newEnabledWorkspace();
  for (const [data, message] of [
    [
      { filterTypes: [] },
      'filterTypes must have at least one entry; leave it out, or send null in an update, to get all event types.',
    ],
    [
      { channels: [] },
      'channels must have at least one entry; leave it out, or send null in an update, to get all channels.',
    ],
    [
      { filterTypes: ['comment.add', 'comment.sing', 'x'] },
      'filterTypes must name event types that there are; unknown: "comment.sing", "x".',
    ],
    [{ description: null }, 'description'],
  ] as const)
    expect((await workspace.post(`${PATH}/create`, { url, ...data })).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
});

test('a uid is unique within a key', async () => {
  const [one, other] = [await newEnabledWorkspace(), await newEnabledWorkspace()];
  const first = await create(one, { uid: 'mine' });
  const second = await one.post(`${PATH}/create`, { url, uid: 'mine' });
  expect(second.body.error).toMatchObject({
    status: 'ALREADY_EXISTS',
    message: 'An endpoint with the uid "mine" already exists.',
  });
  await create(one, { uid: 'yours' });
  const theirs = await create(other, { uid: 'mine' });
  expect((await one.must(`${PATH}/get`, { uid: 'mine' })).endpoints).toEqual([first]);
  expect((await other.must(`${PATH}/get`, { uid: 'mine' })).endpoints).toEqual([theirs]);
  expect((await other.must(`${PATH}/get`, { endpointId: first.id })).endpoints).toEqual([]);
});

test('a list can be paged forwards and backwards', async () => {
  const workspace = await newEnabledWorkspace();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push((await create(workspace)).id);
  // With equal times, the id decides.
  const { deps } = await testApp();
  await deps.db
    .updateTable('webhookEndpoints')
    .set({ createdAt: 1_700_000_000_000 })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('endpointId', 'in', ids.slice(0, 3))
    .execute();
  const page = async (iterator?: string) => {
    const answer = await workspace.must(`${PATH}/get`, { limit: 2, iterator });
    return { ...answer, ids: answer.endpoints.map(({ id }: { id: string }) => id) };
  };
  const all = (await workspace.must(`${PATH}/get`)).endpoints.map(({ id }: { id: string }) => id);
  expect(all).toHaveLength(5);

  const first = await page();
  expect(first).toMatchObject({ ids: all.slice(0, 2), prevIterator: null, done: false });
  const second = await page(first.iterator);
  expect(second).toMatchObject({ ids: all.slice(2, 4), done: false });
  const third = await page(second.iterator);
  expect(third).toMatchObject({ ids: all.slice(4), iterator: null, done: true });
  const back = await page(third.prevIterator);
  expect(back).toMatchObject({ ids: all.slice(2, 4), done: false });
  const start = await page(back.prevIterator);
  expect(start).toMatchObject({ ids: all.slice(0, 2), prevIterator: null, done: false });
  expect((await page(start.iterator)).ids).toEqual(all.slice(2, 4));

  // Endpoints around a cursor may be deleted meanwhile.
  for (const id of all.slice(4)) await workspace.must(`${PATH}/delete`, { endpointId: id });
  const empty = await page(second.iterator);
  expect(empty).toMatchObject({ ids: [], iterator: null, done: true });
  expect((await page(empty.prevIterator)).ids).toEqual(all.slice(1, 3));
  for (const id of all.slice(0, 2)) await workspace.must(`${PATH}/delete`, { endpointId: id });
  expect(await page(back.prevIterator)).toMatchObject({ ids: all.slice(2, 4), prevIterator: null });
});

test('a cursor that the service did not make is invalid', async () => {
  const { body } = await (await newEnabledWorkspace()).post(`${PATH}/get`, { iterator: 'x' });
  expect(body.error.message).toBe('iterator is not valid.');
});

const onOne = [
  ['update', { description: 'x' }],
  ['delete', {}],
  ['secret/get', {}],
  ['secret/rotate', {}],
] as const;

test('no operation knows an unknown endpoint, or one of the basic configuration', async () => {
  const workspace = await newEnabledWorkspace();
  await workspace.must('/v2/workspace/webhookconfig/update', {
    useWebhookService: true,
    webhookServiceConfig: { rawNotificationUrl: url },
  });
  for (const [name, data] of onOne)
    for (const endpointId of ['raw', 'ep_unknown']) {
      const { body } = await workspace.post(`${PATH}/${name}`, { endpointId, ...data });
      expect(body.error).toEqual({
        status: 'NOT_FOUND',
        message: 'Advanced webhook provider request failed.',
      });
    }
});

test('all operations require that webhooks are enabled', async () => {
  const workspace = await newWorkspace();
  const ofOne = onOne.map(([name, data]) => [name, { endpointId: 'x', ...data }] as const);
  for (const [name, data] of [['create', { url }] as const, ['get', {}] as const, ...ofOne])
    expect([name, (await workspace.post(`${PATH}/${name}`, data)).body.error]).toEqual([
      name,
      {
        status: 'FAILED_PRECONDITION',
        message:
          'Advanced webhooks are not configured for this workspace. Enable them first via POST /v2/workspace/advancedwebhookconfig/update with { "isEnabled": true }.',
      },
    ]);
});

test('the number of endpoints per key is limited, even with concurrent requests', async () => {
  const workspace = await newEnabledWorkspace();
  const { deps } = await testApp();
  const { apiKeyId, workspaceId } = workspace;
  await deps.db
    .insertInto('webhookEndpoints')
    .values(
      Array.from({ length: 199 }, (_, index) => ({
        apiKeyId,
        workspaceId,
        endpointId: `ep_${index}`,
        kind: 'advanced' as const,
        url,
        disabled: false,
        createdAt: index,
        updatedAt: index,
      })),
    )
    .execute();
  const replies = await Promise.all([1, 2, 3].map(() => workspace.post(`${PATH}/create`, { url })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  expect(replies.find(({ status }) => status === 429)?.body.error).toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    message: 'An API key can have at most 200 webhook endpoints.',
  });
});
