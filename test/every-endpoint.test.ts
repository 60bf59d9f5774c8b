import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../src/api/index.ts';
import { signIn } from './people/console-session.ts';
import { newWorkspace, send, type TestWorkspace, testApp } from './service/harness.ts';

const all = endpoints.flatMap((endpoint) =>
  (typeof endpoint.path === 'string' ? [endpoint.path] : endpoint.path).map((path) => ({ path, endpoint })),
);

const expectRefusal = (reply: Awaited<ReturnType<typeof send>>, httpStatus: number, status: string) => {
  expect([reply.status, reply.body.error?.status]).toEqual([httpStatus, status]);
  expect(typeof reply.body.error.message).toBe('string');
  expect(Object.keys(reply.body)).toEqual(['error']);
  expect(reply.headers['x-request-id']).toBeTruthy();
};

const ofConsole = (auth: string): boolean => auth === 'account' || auth === 'member';

// No request of these tests changes anything.
let first: TestWorkspace;
let second: TestWorkspace;
let session: Record<string, string>;
beforeAll(async () => {
  [first, second] = await Promise.all([newWorkspace(), newWorkspace()]);
  session = (await signIn(first)).headers;
});

const headersFor = (auth: string, w: TestWorkspace): Record<string, string> => {
  if (ofConsole(auth)) return session;
  return auth.startsWith('apiKey') ? w.keyHeaders : auth === 'workspace' ? w.workspaceHeaders : {};
};

describe.each(all)('$path', ({ path, endpoint }) => {
  test('refuses wrong and foreign credentials with the same answer, and names only missing headers', async () => {
    if (endpoint.auth === 'public' || ofConsole(endpoint.auth)) return;
    const mine = headersFor(endpoint.auth, first);
    const theirs = headersFor(endpoint.auth, second);
    const [idName = '', tokenName = ''] = Object.keys(mine);
    const swapped = endpoint.auth === 'workspace' ? first.keyHeaders : first.workspaceHeaders;
    const attempts: Record<string, string>[] = [
      { ...mine, [tokenName]: `${mine[tokenName]}x` },
      { ...mine, [tokenName]: theirs[tokenName]! },
      { ...mine, [idName]: 'unknown' },
    ];
    const bodies = new Set<string>();
    for (const headers of attempts) {
      const reply = await send(path, { data: {} }, headers);
      expectRefusal(reply, 401, 'UNAUTHENTICATED');
      bodies.add(JSON.stringify(reply.body));
    }
    expect(bodies.size).toBe(1);
    const [{ error }] = [...bodies].map((body) => JSON.parse(body));
    expect(error.message).toBe('Invalid or missing credentials.');
    expect(error.details.hint).toContain(`the headers ${idName} and ${tokenName}`);
    const incomplete: [Record<string, string>, string[]][] = [
      [{}, [idName, tokenName]],
      [swapped, [idName, tokenName]],
      [{ [idName]: mine[idName]! }, [tokenName]],
      [{ [idName]: 'unknown' }, [tokenName]],
      [{ [tokenName]: mine[tokenName]! }, [idName]],
    ];
    for (const [headers, missing] of incomplete) {
      const reply = await send(path, { data: {} }, headers);
      expectRefusal(reply, 401, 'UNAUTHENTICATED');
      const named = [idName, tokenName].filter((name) => reply.body.error.message.includes(name));
      expect([Object.keys(headers), named]).toEqual([Object.keys(headers), missing]);
      expect(reply.body.error.details).toEqual(error.details);
    }
  });

  test('refuses every body that is not an object with data', async () => {
    const headers = headersFor(endpoint.auth, first);
    const deep = `{"data":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`;
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '1',
      '"x"',
      '{"data":[]}',
      '{"data":null}',
      '{"data":"x"}',
      deep,
      '{"data":{"__proto__":{"isAdmin":true}}}',
      '{"data":{"x":{"constructor":1}}}',
      '{"data":{"x":"a\\u0000b"}}',
      '{"data":{"x":"\\ud800"}}',
      '{"data":{"x":1e999}}',
    ];
    if (!endpoint.dataOptional) broken.push('{}', '{"Data":{}}');
    for (const body of broken) expectRefusal(await send(path, body, headers), 400, 'INVALID_ARGUMENT');
    for (const type of ['text/plain', 'garbage', '']) {
      const wrongType = await send(path, { data: {} }, { ...headers, 'content-type': type });
      expectRefusal(wrongType, 400, 'INVALID_ARGUMENT');
      expect(wrongType.body.error.message).toBe('The content-type header must be application/json.');
    }
  });

  test('answers 413 to a body over the limit', async () => {
    const { deps } = await testApp();
    const limit = endpoint.bodyLimitBytes ?? deps.settings.bodyLimitBytes;
    const reply = await send(path, { data: { x: 'a'.repeat(limit) } }, headersFor(endpoint.auth, first));
    expectRefusal(reply, 413, 'INVALID_ARGUMENT');
  });
});

test('a request to no operation is answered in the error envelope', async () => {
  const { app } = await testApp();
  for (const [method, url] of [
    ['GET', '/v2/agents/get'],
    ['POST', '/v2/agents/nothing'],
    ['PUT', '/v2/agents/create'],
    ['DELETE', '/'],
    ['POST', '/V2/agents/get'],
    ['GET', '/%zz'],
  ] as const) {
    const response = await app.inject({ method, url });
    expect([url, response.statusCode < 500, Object.keys(JSON.parse(response.body))]).toEqual([
      url,
      true,
      ['error'],
    ]);
  }
});
