import { expect, onTestFinished, test } from 'vitest';
import {
  asksForCredentials,
  hostileCalls,
  hostileServers,
  redirectsTo,
} from '../../../test/fakes/hostile-mcp.ts';
import { type FakeMcpOptions, type FakeTool, fakeMcpServer } from '../../../test/fakes/mcp-server.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { createConnectMcp } from './create-connect-mcp.ts';
import type { McpFailure } from './mcp.ts';

const never = new AbortController().signal;
const guard = createGuard({ allowHosts: ['127.0.0.1'] });
const tool: FakeTool = { name: 'look', answer: () => 'seen' };

async function serverOf(options: FakeMcpOptions) {
  const server = await fakeMcpServer([tool], options);
  onTestFinished(() => server.close());
  return server;
}

async function connected(url: string, { timeoutMs = 60_000, allow = guard } = {}) {
  const connection = await createConnectMcp({ guard: allow })(
    { id: 's', url, headers: { 'x-key': 'sesame' }, timeoutMs },
    { signal: never },
  );
  onTestFinished(() => connection.close());
  return connection;
}

const failureOf = (work: Promise<unknown>): Promise<McpFailure> =>
  work.then(
    () => expect.fail('It answered.'),
    (error) => error,
  );

/** The limit for answers that never end, long enough for the earlier requests on a busy machine. */
const SHORT_MS = 1_000;
const TOO_MUCH = 'The server answered with more than may be read.';
const TOO_SLOW = 'The server did not answer in time.';

test.each<[keyof typeof hostileCalls, string | RegExp]>([
  ['an answer of 10 MB', TOO_MUCH],
  ['a few bytes that unpack to 10 MB', TOO_MUCH],
  ['a stream with an answer of 10 MB', `The server refused: ${TOO_MUCH}`],
  ['a stream without end', TOO_SLOW],
  ['a flood of events', `The server refused: ${TOO_MUCH}`],
  ['a stream that breaks off', 'The server refused: The server ended its answer early.'],
  ['streams that break off and ask to come back at once', TOO_SLOW],
  ['silence', TOO_SLOW],
  ['broken JSON', 'The server does not keep to the protocol.'],
  ['another type of content', 'The server answered with another type of content than was asked for.'],
  ['a request for client input', 'The server does not keep to the protocol.'],
])('a tool that answers with %s is an error for the model, and the next one works', async (kind, message) => {
  let isHostile = true;
  const server = await serverOf({ intercept: (...request) => isHostile && hostileCalls[kind](...request) });
  const connection = await connected(server.url, { timeoutMs: message === TOO_SLOW ? SHORT_MS : 60_000 });
  expect(await connection.call('look', {}, never)).toEqual({ text: message, isError: true });
  isHostile = false;
  expect(await connection.call('look', {}, never)).toEqual({ text: 'seen', isError: false });
  // A retry loop without back-off would send far more within the limit.
  expect(server.requests.length).toBeLessThan(40);
});

test('requests of a server to its client are declined', async () => {
  const intercept = hostileCalls['requests for sampling, elicitation and roots'];
  const server = await serverOf({ generation: '2025-11-25', intercept });
  const connection = await connected(server.url);
  expect(await connection.call('look', {}, never)).toEqual({ text: '', isError: false });
  await expect
    .poll(() => server.requests.map(({ body }) => body).filter((body) => body.includes('"error"')).length)
    .toBe(3);
  expect(server.requests.some(({ body }) => /"result"/.test(body))).toBe(false);
});

test('the number of requests that a server may send is limited', async () => {
  const intercept = hostileCalls['more requests than a client accepts'];
  const server = await serverOf({ generation: '2025-11-25', intercept });
  const connection = await connected(server.url);
  expect(await connection.call('look', {}, never)).toEqual({ text: 'seen', isError: false });
  const answers = () => server.requests.filter(({ body }) => body.includes('"result"')).length;
  await expect.poll(answers).toBe(200);
  await connection.close();
  expect(answers()).toBe(200);
});

test.each<[keyof typeof hostileServers, McpFailure['kind'], string]>([
  ['silence', 'timeout', TOO_SLOW],
  ['a web page', 'protocol', 'The server answered with another type of content than was asked for.'],
  ['broken JSON', 'protocol', 'The server does not keep to the protocol.'],
  ['a redirect to itself', 'protocol', 'The server redirects too often.'],
  ['a failure', 'protocol', 'The server answered with HTTP 500.'],
])('a server that answers with %s is refused', async (kind, failure, message) => {
  const server = await serverOf({ intercept: hostileServers[kind] });
  const timeoutMs = failure === 'timeout' ? SHORT_MS : 60_000;
  expect(await failureOf(connected(server.url, { timeoutMs }))).toMatchObject({ kind: failure, message });
  // Two protocols are tried, each with at most three redirects.
  expect(server.requests.length).toBeLessThanOrEqual(8);
});

test('hosts that a server names are never contacted', async () => {
  const inside = await serverOf({});
  const only = (url: string) => createGuard({ allowHosts: [new URL(url).host] });
  const thief = await serverOf({ intercept: asksForCredentials(`${inside.url}/metadata`) });
  expect(await failureOf(connected(thief.url))).toMatchObject({
    kind: 'unauthorized',
    message: 'The server refuses access with HTTP 401.',
  });
  const pointer = await serverOf({ intercept: redirectsTo(() => inside.url) });
  expect(await failureOf(connected(pointer.url, { allow: only(pointer.url) }))).toMatchObject({
    kind: 'refused-host',
    message: 'The server could not be reached.',
  });
  const stream = await serverOf({
    intercept: (request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`event: endpoint\ndata: ${inside.url}\n\n`);
      } else response.writeHead(405).end();
      return true;
    },
  });
  expect(await failureOf(connected(stream.url))).toMatchObject({ kind: 'protocol' });
  expect(inside.requests).toEqual([]);
});

test('secrets are removed from a redirect to another origin', async () => {
  const other = await serverOf({});
  const first = await serverOf({ intercept: redirectsTo(() => other.url) });
  const connection = await connected(first.url);
  expect(await connection.call('look', {}, never)).toEqual({ text: 'seen', isError: false });
  expect(first.requests.every(({ headers }) => headers['x-key'] === 'sesame')).toBe(true);
  expect(other.requests.length).toBe(first.requests.length);
  expect(other.requests.some(({ headers }) => 'x-key' in headers)).toBe(false);
});
