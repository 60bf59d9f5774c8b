import { expect, onTestFinished, test } from 'vitest';
import { newEventStage, organizationId } from '../../test/live/event-stage.ts';
import { newWorkspace, send, type TestWorkspace } from '../../test/service/harness.ts';
import { refusalOfOrigin } from './allowed-origin.ts';

const ORIGIN = 'https://app.example.com';

const tokenFor = async (workspace: TestWorkspace, origin: string) =>
  await workspace.post('/v2/auth/generate_token', {
    userId: 'ada',
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    origin,
    permissions: { resources: [{ type: 'organization', id: organizationId }] },
  });

test.each<[string, Record<string, string>, boolean]>([
  ['the origin of the token', { origin: ORIGIN }, true],
  ['another origin', { origin: 'https://evil.example' }, false],
  ['another port', { origin: `${ORIGIN}:8443` }, false],
  ['another scheme', { origin: 'http://app.example.com' }, false],
  ['a subdomain', { origin: 'https://x.app.example.com' }, false],
  ['an opaque origin', { origin: 'null' }, false],
  ['two origins', { origin: `${ORIGIN}, https://evil.example` }, false],
  ['no origin', {}, false],
  ['no origin, of its own page', { host: 'app.example.com', 'sec-fetch-site': 'same-origin' }, true],
  [
    'no origin, of a page of another host',
    { host: 'redpen.example', 'sec-fetch-site': 'same-origin' },
    false,
  ],
  [
    'no origin, of a page of the same site',
    { host: 'app.example.com', 'sec-fetch-site': 'same-site' },
    false,
  ],
])('a token with an origin and a request with %s', (_, headers, isAllowed) => {
  expect(refusalOfOrigin(ORIGIN, headers) === undefined).toBe(isAllowed);
  expect(refusalOfOrigin(undefined, headers)).toBeUndefined();
});

test('an operation refuses the token on pages of another origin, and without an origin', async () => {
  const workspace = await newWorkspace();
  const { status, body } = await tokenFor(workspace, 'https://APP.example.com:443');
  expect(status).toBe(200);
  const authorization = `Bearer ${body.result.data.token}`;
  const data = { organizationId, resources: [] };
  const ask = (headers: Record<string, string>) =>
    send('/v2/auth/permissions/get', { data }, { authorization, ...headers });
  const refusal = async (headers: Record<string, string>) => {
    const reply = await ask(headers);
    return [reply.status, reply.body.error?.message];
  };
  expect((await refusal({ origin: ORIGIN }))[0]).not.toBe(403);
  expect(await refusal({ origin: 'https://evil.example' })).toEqual([
    403,
    `The token is for pages of ${ORIGIN}, and this request is from another.`,
  ]);
  expect(await refusal({})).toEqual([
    403,
    `The token is for pages of ${ORIGIN}, and this request names no origin.`,
  ]);
});

test('the event stream refuses the token on pages of another origin', async () => {
  const stage = await newEventStage();
  const { body } = await tokenFor(stage.workspace, ORIGIN);
  const statusFrom = async (headers: Record<string, string>) => {
    const aborted = new AbortController();
    onTestFinished(() => aborted.abort());
    const query = { organizationId, access_token: body.result.data.token };
    const { status } = await fetch(stage.url(query), { headers, signal: aborted.signal });
    return status;
  };
  expect(await statusFrom({ origin: ORIGIN })).toBe(200);
  expect(await statusFrom({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusFrom({})).toBe(403);
});

test.each([
  'app.example.com',
  'ftp://app.example.com',
  'https://app.example.com/path',
  'https://app.example.com/?',
  'https://app.example.com#',
  'https://ada@app.example.com',
  '*',
  '',
])('%j is no origin for a token', async (origin) => {
  const { status, body } = await tokenFor(await newWorkspace(), origin);
  expect([status, body.error?.message]).toEqual([
    400,
    'origin must be an origin, such as https://app.example.com.',
  ]);
});
