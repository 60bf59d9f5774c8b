import { expect, test } from 'vitest';
import {
  createClient,
  isRedpenError,
  type RedpenError,
  type Warning,
} from '../../packages/client/src/index.ts';
import { createRawClient } from '../../packages/client/src/raw.ts';
import { credentialsOf, newClient, serviceUrl } from './client-stage.ts';
import { answerDropper, oddServer } from './odd-server.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const failure = (work: Promise<unknown>): Promise<RedpenError> =>
  work.then(
    () => {
      throw new Error('It should have failed.');
    },
    (error: unknown) => {
      if (isRedpenError(error)) return error;
      throw error;
    },
  );

test('a call returns the data of the answer', async () => {
  const { redpen } = await newClient();
  const added = await redpen.documents.add({ organizationId: 'acme', documents: [{ documentId: 'home' }] });
  expect(added.home).toMatchObject({ success: true });
  expect(await redpen.documents.list({ organizationId: 'acme' })).toMatchObject([{ id: 'home' }]);
  expect(await redpen.memory.stats()).toMatchObject({ totalActivities: 0 });
  const data = { type: 'text', contents: { text: 'Hello' } } as const;
  expect(await redpen.editors.add({ ...place, editorId: 'body', ...data, data: 'Hello' })).toBeUndefined();
});

test('a refused request throws an error with every fact of the answer', async () => {
  const { redpen } = await newClient();
  const error = await failure(redpen.documents.add({ organizationId: '', documents: [] }));
  expect(error).toMatchObject({ name: 'RedpenError', status: 'INVALID_ARGUMENT', httpStatus: 400 });
  expect(error.issues.map(({ path }) => path[0])).toEqual(['organizationId', 'documents']);
  expect(error.requestId).toMatch(/./);
  expect(error.retryAfterMs).toBeUndefined();
  expect((await failure(redpen.executions.get({ executionId: 'none' }))).status).toBe('NOT_FOUND');
});

test('with safe, failures are values', async () => {
  const { redpen } = await newClient();
  const failed = await redpen.executions.get({ executionId: 'none' }, { safe: true });
  expect(failed.ok ? undefined : failed.error.status).toBe('NOT_FOUND');
  const succeeded = await redpen.documents.count({ organizationId: 'acme' }, { safe: true });
  expect(succeeded.ok ? succeeded.data.count : undefined).toBe(0);
});

test('a service that cannot be reached is UNAVAILABLE after four tries, without an HTTP status', async () => {
  const tries: string[] = [];
  const baseUrl = await oddServer((request) => {
    tries.push(request.headers['idempotency-key'] as string);
    request.socket.destroy();
  });
  const redpen = createClient({ baseUrl });
  const error = await failure(redpen.workspace.create({ ownerEmail: 'ada@example.com' }));
  expect(error).toMatchObject({ status: 'UNAVAILABLE', httpStatus: undefined });
  expect(tries).toHaveLength(4);
  expect(new Set(tries).size).toBe(1);
});

test.each([
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [409, 'ABORTED'],
])('an answer with %i is repeated after the time that it names', async (code, status) => {
  const times: number[] = [];
  const baseUrl = await oddServer((_, response) => {
    times.push(performance.now());
    if (times.length > 1) {
      response.end(JSON.stringify({ result: { status: 'success', message: '', data: { count: 1 } } }));
      return;
    }
    response.writeHead(code, { 'retry-after': '1' });
    response.end(JSON.stringify({ error: { status, message: 'Not now.' } }));
  });
  expect(await createClient({ baseUrl }).users.count({ organizationId: 'acme' })).toEqual({ count: 1 });
  expect(times[1]! - times[0]!).toBeGreaterThan(990);
});

test.each([
  [400, 'FAILED_PRECONDITION'],
  [409, 'ALREADY_EXISTS'],
  [500, 'INTERNAL'],
  [504, 'DEADLINE_EXCEEDED'],
])('an answer with %i %s is not repeated', async (code, status) => {
  let tries = 0;
  const baseUrl = await oddServer((_, response) => {
    tries += 1;
    response.writeHead(code).end(JSON.stringify({ error: { status, message: 'No.', code: 'special' } }));
  });
  const error = await failure(createClient({ baseUrl }).users.count({ organizationId: 'acme' }));
  expect(error).toMatchObject({ status, code: 'special', httpStatus: code });
  expect(tries).toBe(1);
});

test('an answer that asks to wait longer than the call may take fails at once', async () => {
  const baseUrl = await oddServer((_, response) => {
    response.writeHead(429, { 'retry-after': '3600' });
    response.end(JSON.stringify({ error: { status: 'RESOURCE_EXHAUSTED', message: 'Too many.' } }));
  });
  const error = await failure(createClient({ baseUrl }).users.count({ organizationId: 'acme' }));
  expect(error).toMatchObject({ status: 'RESOURCE_EXHAUSTED', retryAfterMs: 3_600_000 });
});

test('answers of a proxy without an envelope, and pages in place of answers, are errors with their HTTP status', async () => {
  let code = 404;
  const baseUrl = await oddServer((_, response) => void response.writeHead(code).end('<html>'));
  const ask = () => failure(createClient({ baseUrl }).users.count({ organizationId: 'acme' }));
  expect(await ask()).toMatchObject({ status: 'NOT_FOUND', httpStatus: 404 });
  code = 200;
  expect(await ask()).toMatchObject({ status: 'INTERNAL', httpStatus: 200 });
});

test('a call ends when its time is over, and when the caller cancels it', async () => {
  const baseUrl = await oddServer(() => {});
  const redpen = createClient({ baseUrl });
  const data = { organizationId: 'acme' };
  expect(await failure(redpen.users.count(data, { timeoutMs: 50 }))).toMatchObject({
    status: 'DEADLINE_EXCEEDED',
    httpStatus: undefined,
  });
  const controller = new AbortController();
  const asked = redpen.users.count(data, { signal: controller.signal, safe: true });
  controller.abort(new Error('No longer needed.'));
  await expect(asked).rejects.toThrow('No longer needed.');
});

test('warnings of an answer are passed on', async () => {
  const warning = { path: ['organisationId'], code: 'unknown_field', message: 'It is unknown.' };
  const baseUrl = await oddServer((_, response) => {
    response.setHeader('x-request-id', 'r1');
    response.end(
      JSON.stringify({ result: { status: 'success', message: '', data: {}, warnings: [warning] } }),
    );
  });
  const warned: [Warning, object][] = [];
  const redpen = createClient({ baseUrl, onWarning: (...given) => warned.push(given) });
  await redpen.users.count({ organizationId: 'acme' });
  expect(warned).toEqual([[warning, { path: '/v2/users/count', requestId: 'r1' }]]);
});

test('50 answers get lost after the service committed, and each request is carried out once', async () => {
  const { workspace, redpen } = await newClient();
  const proxy = await answerDropper(await serviceUrl());
  const shaky = createClient({ baseUrl: `${proxy.url}/`, ...credentialsOf(workspace) });
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, index) => shaky.agents.create({ name: `agent ${index}` })),
  );
  const agents = await redpen.agents.all({ filter: 'customOnly' }, { max: 1_000 });
  expect(agents.map(({ id }) => id).sort()).toEqual(created.map(({ agentId }) => agentId).sort());
  expect(proxy.seen).toHaveLength(100);
  expect(new Set(proxy.seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(50);
});

test('secret credentials are refused in a page', async () => {
  const { workspace } = await newClient();
  const baseUrl = await serviceUrl();
  Object.assign(globalThis, { window: globalThis });
  try {
    const open = (more = {}) => createClient({ baseUrl, ...credentialsOf(workspace), ...more });
    expect(() => open()).toThrow('Use getUserToken in browsers.');
    expect(open({ dangerouslyAllowBrowser: true })).toBeDefined();
    expect(createClient({ baseUrl, getUserToken: () => 'token' })).toBeDefined();
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
  }
  expect(() => createClient({ baseUrl, apiKey: 'key' })).toThrow('apiKey and authToken go together.');
});

test('the raw client calls operations by path, those of version 1 too', async () => {
  const { workspace } = await newClient();
  const raw = createRawClient({ baseUrl: await serviceUrl(), ...credentialsOf(workspace) });
  const added = await raw.call('/v1/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', documentName: 'Home' }],
  });
  expect(added).toMatchObject({ home: { success: true } });
  const annotations = await raw.call('/v2/commentannotations/get', place);
  expect(annotations.length).toBe(0);
  const whole = await raw.send('/v2/documents/unknown', {}).catch((error: RedpenError) => error.status);
  expect(whole).toBe('NOT_FOUND');
  expect(await raw.send('/v2/users/count', { organizationId: 'acme' })).toMatchObject({
    result: { status: 'success', data: { count: 0 } },
  });
});
