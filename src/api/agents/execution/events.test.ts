import { expect, onTestFinished, test } from 'vitest';
import { untilBlocks } from '../../../../test/database/lock-waits.ts';
import { newAgent, start } from '../../../../test/reviews/executions.ts';
import { dispatch, links, siteOf, small, work } from '../../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { createServer } from '../../../http/server/server.ts';
import { writeLog } from '../../../store/agents/execution-log.ts';

const EVENTS = '/v2/agents/execution/events';

const line = (message: string) =>
  ({ at: Date.now(), level: 'info', kind: 'note', message, data: {} }) as const;
const write = async (w: TestWorkspace, executionId: string, ...messages: string[]) =>
  writeLog((await testApp()).deps.db, { apiKeyId: w.apiKeyId, executionId }, messages.map(line));
const running = async () => {
  const w = await newWorkspace();
  return { w, executionId: await start(w, { agentId: await newAgent(w) }) };
};
const messagesOf = ({ events }: { events: { message: string }[] }) => events.map(({ message }) => message);

test('the events of a run are returned in parts from start to end, each exactly once', async () => {
  const w = await newWorkspace();
  const site = await siteOf(small);
  const executionId = await dispatch(w, links, { url: site.url, crossPageExecute: true });
  expect(await w.must(EVENTS, { executionId })).toEqual({ events: [], next: null, done: false });
  const working = work(w, executionId);
  const events: Record<string, unknown>[] = [];
  // Even an answer without events has a token.
  let after: string | null = null;
  for (let done = false; !done; ) {
    const answer = await w.must(EVENTS, { executionId, after, waitMs: 5_000, limit: 2 });
    expect(answer.events.length).toBeLessThanOrEqual(2);
    events.push(...answer.events);
    ({ next: after, done } = answer);
  }
  const { log } = await working;
  expect(events.map(({ id, ...rest }) => rest)).toEqual(log);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(events[0]).toMatchObject({ kind: 'phase', data: { seedUrl: `${site.url}/` } });
  expect(events.filter(({ kind }) => kind === 'page').length).toBeGreaterThanOrEqual(3);
  expect(events.at(-1)).toMatchObject({ kind: 'result', data: { status: 'failed', findings: 3 } });
  expect(await w.must(EVENTS, { executionId, after, waitMs: 30_000 })).toEqual({
    events: [],
    next: after,
    done: true,
  });
});

test('a waiting request is answered when there are events, or with no events once its wait is over', async () => {
  const { w, executionId } = await running();
  await write(w, executionId, 'first');
  const { next } = await w.must(EVENTS, { executionId, waitMs: 30_000 });
  const waiting = w.must(EVENTS, { executionId, after: next, waitMs: 30_000 });
  await write(w, executionId, 'second', 'third');
  expect(messagesOf(await waiting)).toEqual(['second', 'third']);
  expect(await w.must(EVENTS, { executionId, after: next, waitMs: 1, limit: 1 })).toMatchObject({
    events: [{ message: 'second' }],
    done: false,
  });
});

test('lines that several processes write concurrently are all returned, whatever their clocks', async () => {
  const { w, executionId } = await running();
  const { deps } = await testApp();
  const ref = { apiKeyId: w.apiKeyId, executionId };
  const messages: string[] = [];
  let after: string | undefined;
  const read = async () => {
    const answer = await w.must(EVENTS, { executionId, after });
    messages.push(...messagesOf(answer));
    after = answer.next ?? undefined;
  };
  const isWritten = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  const slow = deps.db.transaction().execute(async (tx) => {
    await writeLog(tx, ref, [{ ...line('slow'), at: 1 }]);
    isWritten.resolve();
    await untilBlocks(tx);
    // One read starts and ends while both writers have open transactions.
    await hasRead.promise;
  });
  const quick = isWritten.promise.then(() =>
    writeLog(deps.db, ref, [{ ...line('quick'), at: 9_000_000_000_000 }]),
  );
  let written = false;
  const writing = Promise.all([slow, quick]).then(() => {
    written = true;
  });
  await isWritten.promise;
  await read();
  hasRead.resolve();
  while (!written) await read();
  await writing;
  await read();
  expect(messages).toEqual(['slow', 'quick']);
});

test('nothing is added to the log of an ended run', async () => {
  const { w, executionId } = await running();
  await w.must('/v2/agents/execution/cancel', { executionId });
  await write(w, executionId, 'late');
  expect(messagesOf(await w.must(EVENTS, { executionId }))).toEqual(['The run was cancelled.']);
});

test('a token of another log and an invalid token are refused', async () => {
  const { w, executionId } = await running();
  await write(w, executionId, 'one');
  const { next } = await w.must(EVENTS, { executionId });
  const other = await start(w, { agentId: 'broken-links' });
  for (const request of [
    { executionId, after: 'line_x' },
    { executionId: other, after: next },
  ])
    expect((await w.post(EVENTS, request)).body.error.status).toBe('INVALID_ARGUMENT');
});

test('a server that stops answers waiting requests', async () => {
  const { w, executionId } = await running();
  const { deps, authenticator } = await testApp();
  const { endpoints } = await import('../../index.ts');
  const app = await createServer({
    deps,
    endpoints: endpoints.filter(({ path }) => path === EVENTS),
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  const isRequested = Promise.withResolvers<void>();
  app.addHook('preHandler', async () => isRequested.resolve());
  let closing: Promise<void> | undefined;
  onTestFinished(() => closing ?? app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const waiting = fetch(`${url}${EVENTS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...w.keyHeaders },
    body: JSON.stringify({ data: { executionId, waitMs: 30_000 } }),
  });
  await isRequested.promise;
  closing = app.close().then(() => {});
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service.
  const { result } = (await (await waiting).json()) as any;
  expect(result.data).toEqual({ events: [], next: null, done: false });
  await closing;
});
