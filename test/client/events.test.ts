import { expect, test } from 'vitest';
import { openEvents } from '../../packages/client/src/events.ts';
import { createClient, type LiveEvent } from '../../packages/client/src/index.ts';
import { createRawClient } from '../../packages/client/src/raw.ts';
import { newEventStage } from '../live/event-stage.ts';
import { oddServer } from './odd-server.ts';

async function take(events: AsyncGenerator<LiveEvent, void>, count: number): Promise<LiveEvent[]> {
  const taken: LiveEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

test('events arrive with their name, position and data, and only those that were asked for', async () => {
  const stage = await newEventStage();
  const baseUrl = new URL(stage.url({})).origin;
  const { apiKeyId, token } = stage.workspace;
  const redpen = createClient({ baseUrl, apiKey: apiKeyId, authToken: token });
  const opened = Promise.withResolvers<void>();
  const events = redpen.events(
    { organizationId: 'acme', families: ['live_state'] },
    { onOpen: opened.resolve },
  );
  const taken = take(events, 1);
  await opened.promise;
  await stage.workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'other' }],
  });
  await stage.workspace.must('/v2/livestate/broadcast', {
    organizationId: 'acme',
    documentId: 'home',
    liveStateDataId: 'slide',
    data: { current: 7 },
  });
  await stage.relay();
  const [event] = await taken;
  expect(event).toMatchObject({
    event: 'live_state.broadcast',
    id: expect.stringMatching(/./),
    data: { organizationId: 'acme', documentId: 'home', liveStateDataId: 'slide', data: { current: 7 } },
  });
});

interface Script {
  status?: number;
  text?: string;
}

/** A server that sends one script for each connection; the last one stays open. */
async function scripted(scripts: Script[]) {
  const positions: (string | undefined)[] = [];
  const tokens: (string | undefined)[] = [];
  const baseUrl = await oddServer(async (request, response) => {
    positions.push(request.headers['last-event-id'] as string | undefined);
    tokens.push(request.headers.authorization);
    const { status = 200, text = '' } = scripts.shift() ?? {};
    response.writeHead(status, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    // A byte at a time, so that every border between chunks occurs.
    for (const byte of Buffer.from(text))
      await new Promise((sent) => response.write(Buffer.from([byte]), sent));
    if (status !== 200) response.end();
    else if (scripts.length > 0) response.destroy();
  });
  return { baseUrl, positions, tokens };
}

const event = (id: string, name = 'document.delete') =>
  `id: ${id}\nevent: ${name}\ndata: {"organizationId":"acme","documentId":"ü${id}","at":1}\n\n`;
const query = { organizationId: 'acme' };

test('a broken stream continues after the last complete event, and half an event is dropped', async () => {
  const { baseUrl, positions } = await scripted([
    { text: `retry: 2000\nid: 0\n\n${event('1')}id: 2\nevent: document.delete\nda` },
    { status: 503 },
    { text: `id: 1\n\n${event('2')}` },
    { text: `${event('3').replaceAll('\n', '\r\n')}: heartbeat\n\nid: 9\n\n` },
    { text: 'event: reset\ndata: {"organizationId":"acme"}\n\n' },
  ]);
  const { connection } = createRawClient({ baseUrl });
  const taken = await take(openEvents(connection, query), 4);
  expect(taken.map(({ id, data }) => [id, data.documentId])).toEqual([
    ['1', 'ü1'],
    ['2', 'ü2'],
    ['3', 'ü3'],
    [undefined, undefined],
  ]);
  expect(taken.at(-1)!.event).toBe('reset');
  expect(positions).toEqual([undefined, '1', '1', '2', '9']);
});

const end = (reason: string) => `event: end\ndata: {"reason":"${reason}"}\n\n`;

test.each(['document', 'organization'])('the events end when the %s is gone', async (reason) => {
  const { baseUrl } = await scripted([{ text: event('1') + end(reason) }, {}]);
  const { connection } = createRawClient({ baseUrl });
  expect(await take(openEvents(connection, query), 9)).toHaveLength(1);
});

test('a stream continues after a restart, and with a new token when the old one is no longer valid', async () => {
  const { baseUrl, tokens } = await scripted([
    { text: end('restart') },
    { text: end('token') },
    { status: 401 },
    { text: event('1') },
  ]);
  let asked = 0;
  const { connection } = createRawClient({ baseUrl, getUserToken: () => `t${++asked}` });
  expect(await take(openEvents(connection, query), 1)).toHaveLength(1);
  expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2', 'Bearer t3']);
});

test('a refused stream is an error', async () => {
  const { baseUrl } = await scripted([{ status: 404 }, {}]);
  const { connection } = createRawClient({ baseUrl });
  await expect(take(openEvents(connection, query), 1)).rejects.toMatchObject({ status: 'NOT_FOUND' });
  const withKey = await scripted([{ text: end('token') }, {}]);
  const backend = createRawClient({ baseUrl: withKey.baseUrl, apiKey: 'key', authToken: 'token' });
  await expect(take(openEvents(backend.connection, query), 1)).rejects.toMatchObject({
    status: 'UNAUTHENTICATED',
  });
});

test('the caller ends the events with a signal', async () => {
  const { baseUrl } = await scripted([{ text: event('1') }]);
  const { connection } = createRawClient({ baseUrl });
  const controller = new AbortController();
  const events = openEvents(connection, query, { signal: controller.signal });
  await events.next();
  const next = events.next();
  controller.abort(new Error('The page is left.'));
  await expect(next).rejects.toThrow('The page is left.');
});

test('a stream is open once its position is known, so that nothing is missed if it breaks before', async () => {
  const { baseUrl, positions } = await scripted([
    {},
    { text: 'retry: 2000\nid: a\n\n' },
    { text: event('b') },
  ]);
  const opened: number[] = [];
  const redpen = createClient({ baseUrl, getUserToken: () => 'token' });
  const [arrived] = await take(redpen.events(query, { onOpen: () => void opened.push(positions.length) }), 1);
  expect(arrived?.id).toBe('b');
  expect(positions).toEqual([undefined, undefined, 'a']);
  // The first connection broke before it said where it begins.
  expect(opened).toEqual([2, 3]);
});
