import { expect, test } from 'vitest';
import { createClient, isRedpenError } from '../../packages/client/src/index.ts';
import { newUserToken } from '../people/user-token.ts';
import { until } from '../run/until.ts';
import { newWorkspace } from '../service/harness.ts';
import { serviceUrl } from './client-stage.ts';
import { oddServer } from './odd-server.ts';

const resources = [{ type: 'organization', id: 'acme' }];
const place = { organizationId: 'acme', documentId: 'home' };

async function newPage() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  return { workspace, baseUrl: await serviceUrl() };
}

test('calls at the same time share one request for a token', async () => {
  const { workspace, baseUrl } = await newPage();
  let asked = 0;
  const redpen = createClient({
    baseUrl,
    async getUserToken() {
      asked += 1;
      return (await newUserToken(workspace, { resources })).token;
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => redpen.annotations.list(place)));
  await redpen.annotations.list(place);
  expect(asked).toBe(1);
});

test('a token that the service rejects is replaced once', async () => {
  const { workspace, baseUrl } = await newPage();
  const tokens = ['rejected', (await newUserToken(workspace, { resources })).token];
  const redpen = createClient({ baseUrl, getUserToken: () => tokens.shift()! });
  expect(await redpen.annotations.list(place)).toEqual([]);
  expect(tokens).toEqual([]);

  let asked = 0;
  const never = createClient({ baseUrl, getUserToken: () => `rejected-${asked++}` });
  const failed = await never.annotations.list(place, { safe: true });
  expect(failed.ok ? undefined : failed.error.status).toBe('UNAUTHENTICATED');
  expect(asked).toBe(2);
});

test('calls whose token is rejected at the same time share one request for another', async () => {
  const waiting: (() => void)[] = [];
  const baseUrl = await oddServer((request, response) => {
    const isRejected = request.headers.authorization === 'Bearer token-1';
    const answer = () => {
      response.statusCode = isRejected ? 401 : 200;
      response.end(JSON.stringify({ result: { status: 'success', message: '', data: [] } }));
    };
    // The second rejection arrives while the client waits for another token.
    if (isRejected && waiting.push(answer) === 1) answer();
    if (!isRejected) answer();
  });
  let asked = 0;
  let rejections = 0;
  const bothRejected = Promise.withResolvers<void>();
  const redpen = createClient({
    baseUrl,
    async getUserToken() {
      asked += 1;
      if (asked === 2) {
        await until(() => waiting.length === 2);
        waiting[1]!();
        await bothRejected.promise;
      }
      return `token-${asked}`;
    },
    async fetch(...given) {
      const response = await fetch(...given);
      if (response.status === 401 && ++rejections === 2) setImmediate(bothRejected.resolve);
      return response;
    },
  });
  await Promise.all([redpen.annotations.list(place), redpen.annotations.list(place)]);
  expect(asked).toBe(2);
});

test('a token is replaced when 80 % of its lifetime are over', async () => {
  const used: (string | undefined)[] = [];
  const baseUrl = await oddServer((request, response) => {
    used.push(request.headers.authorization);
    response.end(JSON.stringify({ result: { status: 'success', message: '', data: [] } }));
  });
  const now = Math.floor(Date.now() / 1_000);
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
  const old = token({ sub: 'ä', iat: now - 8_100, exp: now + 1_900 });
  const fresh = token({ sub: 'ä', iat: now - 7_900, exp: now + 2_100 });
  const tokens = [old, fresh];
  const redpen = createClient({ baseUrl, getUserToken: () => tokens.shift()! });
  for (let call = 0; call < 3; call++) await redpen.annotations.list(place);
  expect(used).toEqual([old, fresh, fresh].map((one) => `Bearer ${one}`));
});

test('a token that cannot be had is an error with its cause, and is asked for again by the next call', async () => {
  const { workspace, baseUrl } = await newPage();
  const { token } = await newUserToken(workspace, { resources });
  let isDown = true;
  const redpen = createClient({
    baseUrl,
    getUserToken() {
      if (isDown) throw new Error('The backend is down.');
      return token;
    },
  });
  const error = await redpen.annotations.list(place).catch((thrown: unknown) => thrown);
  expect(isRedpenError(error) && error.status).toBe('UNAUTHENTICATED');
  expect((error as Error).cause).toEqual(new Error('The backend is down.'));
  isDown = false;
  expect(await redpen.annotations.list(place)).toEqual([]);
});
