import { expect, test, vi } from 'vitest';
import type { XmlElement, XmlText } from 'yjs';
import {
  editor,
  isSaved,
  type LiveClient,
  openClient,
  startNode,
  tokenOf,
  withDocument,
} from '../../test/live/live-node.ts';
import { until } from '../../test/run/until.ts';
import type { Stored } from './document/stored-content.ts';
import { TooMuchWork } from './edit/compare-lists.ts';

const lines = (seed: number, count: number) =>
  Array.from({ length: count }, (_, at) => `Line ${at} says ${(at * 7_919 + seed * 104_729) % 100_003}.\n`);
const formatted = (seed: number, count: number) =>
  lines(seed, count)
    .map(
      (line) =>
        `<p>${line.trim().replace(/says/, '<bold>says</bold>').replace(/\d+\./, '<italic>$&</italic>')}</p>`,
    )
    .join('');
const map = (seed: number) =>
  Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`key ${at}`, { value: (at * seed) % 97 }]));

async function startNodeWithClients(clients: number) {
  const w = await withDocument();
  const node = await startNode();
  const token = await tokenOf(w);
  const opened = Array.from({ length: clients }, () => openClient(node.url, token));
  await until(() => opened.every(isSaved), 'clients that are in');
  const post = (operation: string, data: object) =>
    node.post(`/v2/crdt/${operation}`, { ...editor, ...data }, w.keyHeaders);
  const must = async (operation: string, data: object) => {
    const reply = await post(operation, data);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body.result.data;
  };
  const contentOf = async () => (await must('get', {}))[0]?.data;
  return { w, node, post, must, contentOf, clients: opened };
}

test.each([
  ['text', lines(1, 3_000).join(''), lines(2, 3_000).join('')],
  ['map', map(1), map(2)],
  ['array', lines(1, 4_000), lines(2, 4_000)],
  ['xml', formatted(1, 1_500), formatted(2, 1_500)],
])('large content of type %s is added, read, replaced, kept and restored', async (type, first, second) => {
  const { post, must, contentOf } = await startNodeWithClients(0);
  await must('add', { type, data: first });
  const got = await post('get', {});
  expect(got.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(got.body.result.data[0].data).toEqual(first);
  const { snapshotId } = await must('snapshots/create', {});
  await must('update', { type, data: second });
  expect(await contentOf()).toEqual(second);
  expect((await must('snapshots/get', { snapshotId })).data).toEqual(first);
  await must('snapshots/restore', { snapshotId });
  expect(await contentOf()).toEqual(first);
});

test('invalid large content is refused with the same message as small content, and changes nothing', async () => {
  const { post, must, contentOf } = await startNodeWithClients(0);
  const data = formatted(1, 1_000);
  const missing = await post('update', { type: 'xml', data });
  expect([missing.status, missing.body.error]).toEqual([
    404,
    { status: 'NOT_FOUND', message: 'No CRDT data found for this editor ID.' },
  ]);
  const unclosed = await post('add', { type: 'xml', data: `${data}<p>` });
  expect(unclosed.body.error.status).toBe('INVALID_ARGUMENT');
  await must('add', { type: 'xml', data });
  const broken = await post('update', { type: 'xml', data: `${data}<p>` });
  expect([broken.status, broken.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(broken.body.error.message).toMatch(/^Data must be well-formed XML: "p" is not closed \(line 1/);
  expect(broken.body).toEqual(unclosed.body);
  const other = await post('update', { type: 'text', data });
  expect(other.body.error.message).toBe('The content under contentKey "content" is of type xml, not text.');
  expect(await contentOf()).toBe(data);
});

test('large malformed requests are refused, and repeated ones are idempotent', async () => {
  const { node, w, must, contentOf } = await startNodeWithClients(0);
  await must('add', { type: 'array', data: [] });
  const content = JSON.stringify(lines(1, 20_000));
  const address = node.url.replace('ws:', 'http:').replace('/v2/realtime', '/v2/crdt/update');
  const send = async (data: string, headers = {}) => {
    const body = `{"data":{"organizationId":"acme","documentId":"home","editorId":"body","type":"array","data":${data}}}`;
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...w.keyHeaders, ...headers },
      body,
    });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  };
  const broken = await send(content.replace('",', '" '));
  expect([broken.status, broken.body.error]).toEqual([
    400,
    { status: 'INVALID_ARGUMENT', message: 'The request body is not valid JSON.' },
  ]);
  const once = { 'idempotency-key': 'large-1' };
  expect((await send(content, once)).status).toBe(200);
  await must('update', { type: 'array', data: [1] });
  const again = await send(content, once);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(await contentOf()).toEqual([1]);
  const other = await send(content.replace('Line 7 ', 'Line 8 '), once);
  expect(other.body.error.message).toBe('This idempotency-key was used with another request.');
});

test('of concurrent large and small replacements, exactly one remains', async () => {
  const { must, contentOf, clients } = await startNodeWithClients(1);
  await must('add', { type: 'text', data: 'start' });
  const texts = [1, 2, 3, 4, 5, 6].map((seed) => lines(seed, seed % 2 === 0 ? 2 : 2_000).join(''));
  await Promise.all(texts.map((data) => must('update', { type: 'text', data })));
  const text = await contentOf();
  expect(texts).toContain(text);
  await until(() => clients[0]!.document.getText('content').toString() === text, 'the same at the client');
});

test('large or slow comparisons do not run on the main thread', async () => {
  const { node, must, contentOf, w } = await startNodeWithClients(0);
  await must('add', { type: 'text', data: 'start' });
  const { editors } = node.realtime;
  const calls: (string | undefined)[] = [];
  const change = (isLarge: boolean, data: string, write: (patience: string) => void) => {
    const body = Buffer.from(JSON.stringify({ data: { data } }));
    const taskOn = (stored: Stored) =>
      ({ name: 'write', stored, type: 'text', contentKey: 'content', body }) as const;
    return editors.change(w, editor, (_, patience) => write(patience), { isLarge, taskOn });
  };
  await change(true, 'large', () => calls.push('large'));
  expect(await contentOf()).toBe('large');
  await change(false, 'slow', (patience) => {
    calls.push(patience);
    throw new TooMuchWork();
  });
  expect(await contentOf()).toBe('slow');
  await change(false, 'quick', () => calls.push('quick'));
  expect(await contentOf()).toBe('slow');
  expect(calls).toEqual(['short', 'quick']);
});

test('small texts that have nothing in common replace each other', async () => {
  const { must, contentOf } = await startNodeWithClients(0);
  const random = (seed: number) =>
    Array.from({ length: 3_000 }, (_, at) =>
      String.fromCharCode(97 + ((at * 7_919 * seed + at * at * 31 + ((at * seed) >> 3)) % 26)),
    ).join('');
  await must('add', { type: 'text', data: random(1) });
  await must('update', { type: 'text', data: random(5) });
  expect(await contentOf()).toBe(random(5));
});

const paragraph = ({ document }: LiveClient, at: number) =>
  (document.getXmlFragment('content').get(at) as XmlElement).get(0) as XmlText;

test('a client with a large document open receives its replacement, and keeps its own concurrent changes', async () => {
  const { must, contentOf, node, clients } = await startNodeWithClients(2);
  const [typing, reading] = clients as [LiveClient, LiveClient];
  const kept = '<p>This one stays.</p>';
  await must('add', { type: 'xml', data: `${kept}${formatted(1, 2_500)}` });
  const lengthOf = ({ document }: LiveClient) => document.getXmlFragment('content').length;
  await until(() => clients.every((client) => lengthOf(client) === 2_501), 'the content');
  const second = formatted(2, 2_500);
  // What is typed before the service reads the content is replaced with it.
  const isRead = Promise.withResolvers<void>();
  const { editors } = node.realtime;
  const { change } = editors;
  vi.spyOn(editors, 'change').mockImplementation((scope, ref, write, large) =>
    change(scope, ref, write, {
      ...large!,
      taskOn: (stored) => {
        isRead.resolve();
        return large!.taskOn(stored);
      },
    }),
  );
  const replaced = must('update', { type: 'xml', data: `${kept}${second}` });
  await isRead.promise;
  // Types every 20 ms, that is, during and after the replacement.
  let typed = '';
  for (let isDone = false; !isDone; ) {
    paragraph(typing, 0).insert(typed.length, 'x');
    typed += 'x';
    isDone = await Promise.race([
      replaced.then(() => true),
      new Promise<false>((go) => setTimeout(go, 20, false)),
    ]);
  }
  paragraph(typing, 0).insert(typed.length, 'x');
  typed += 'x';
  await until(() => clients.every(isSaved), 'all to be saved');
  const wanted = `<p>${typed}This one stays.</p>${second}`;
  await until(async () => (await contentOf()) === wanted, 'both changes');
  const shown = ({ document }: LiveClient) => document.getXmlFragment('content').toString();
  await until(() => shown(typing) === wanted, 'both changes where they were typed');
  await until(() => shown(reading) === wanted, 'both changes where they were not');
  expect(clients.map(({ closes }) => closes)).toEqual([[], []]);
  expect(node.errors).toEqual([]);
});

test('characters that cannot be stored are refused in large content on every thread', async () => {
  const { post, must, contentOf } = await startNodeWithClients(0);
  const pad = 'x'.repeat(300_000);
  const refusal = async (operation: string, type: string, data: unknown) => {
    const { status, body } = await post(operation, { type, data });
    return [status, body.error?.message];
  };
  expect(await refusal('add', 'map', { a: [pad, '\0'] })).toEqual([
    400,
    'data.a[1] must not contain a NUL character.',
  ]);
  await must('add', { type: 'map', data: { a: pad } });
  expect(await refusal('update', 'map', { a: pad, constructor: 1 })).toEqual([
    400,
    'data.constructor is not an allowed key.',
  ]);
  expect(await refusal('update', 'map', { a: `${pad}\ud800` })).toEqual([
    400,
    'data.a is not well-formed Unicode.',
  ]);
  expect(await contentOf()).toEqual({ a: pad });
});
