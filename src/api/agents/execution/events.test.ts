import { expect, onTestFinished, test } from 'vitest';
import { newAgent, start } from '../../../../test/executions.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/harness.ts';
import { untilBlocks } from '../../../../test/lock-waits.ts';
import { dispatch, links, siteOf, small, work } from '../../../../test/runs.ts';
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
const words = ({ events }: { events: { message: string }[] }) => events.map(({ message }) => message);

test('a run is told from its start to its end, a part at a time, with nothing left out or told twice', async () => {
  const w = await newWorkspace();
  const site = await siteOf(small);
  const executionId = await dispatch(w, links, { url: site.url, crossPageExecute: true });
  expect(await w.must(EVENTS, { executionId })).toEqual({ events: [], next: null, done: false });
  const working = work(w, executionId);
  const told: Record<string, unknown>[] = [];
  // What was answered while there was nothing is taken back, too.
  let after: string | null = null;
  for (let done = false; !done; ) {
    const answer = await w.must(EVENTS, { executionId, after, waitMs: 5_000, limit: 2 });
    expect(answer.events.length).toBeLessThanOrEqual(2);
    told.push(...answer.events);
    ({ next: after, done } = answer);
  }
  const { log } = await working;
  expect(told.map(({ id, ...rest }) => rest)).toEqual(log);
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  expect(told[0]).toMatchObject({ kind: 'phase', data: { seedUrl: `${site.url}/` } });
  expect(told.filter(({ kind }) => kind === 'page').length).toBeGreaterThanOrEqual(3);
  expect(told.at(-1)).toMatchObject({ kind: 'result', data: { status: 'failed', findings: 3 } });
  expect(await w.must(EVENTS, { executionId, after, waitMs: 30_000 })).toEqual({
    events: [],
    next: after,
    done: true,
  });
});

test('who waits is answered when there is something, and with nothing once the time is over', async () => {
  const { w, executionId } = await running();
  await write(w, executionId, 'first');
  const { next } = await w.must(EVENTS, { executionId, waitMs: 30_000 });
  const waiting = w.must(EVENTS, { executionId, after: next, waitMs: 30_000 });
  await write(w, executionId, 'second', 'third');
  expect(words(await waiting)).toEqual(['second', 'third']);
  expect(await w.must(EVENTS, { executionId, after: next, waitMs: 1, limit: 1 })).toMatchObject({
    events: [{ message: 'second' }],
    done: false,
  });
});

test('lines that several processes write at once are all told, whatever their clocks say', async () => {
  const { w, executionId } = await running();
  const { deps } = await testApp();
  const ref = { apiKeyId: w.apiKeyId, executionId };
  const told: string[] = [];
  let after: string | undefined;
  const read = async () => {
    const answer = await w.must(EVENTS, { executionId, after });
    told.push(...words(answer));
    after = answer.next ?? undefined;
  };
  const isWritten = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  const slow = deps.db.transaction().execute(async (tx) => {
    await writeLog(tx, ref, [{ ...line('slow'), at: 1 }]);
    isWritten.resolve();
    await untilBlocks(tx);
    // One read begins and ends while both writers are under way.
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
  expect(told).toEqual(['slow', 'quick']);
});

test('nothing is added to the log of a run that has ended', async () => {
  const { w, executionId } = await running();
  await w.must('/v2/agents/execution/cancel', { executionId });
  await write(w, executionId, 'late');
  expect(words(await w.must(EVENTS, { executionId }))).toEqual(['The run was cancelled.']);
});

test('a place in another log, or none, is refused', async () => {
  const { w, executionId } = await running();
  await write(w, executionId, 'one');
  const { next } = await w.must(EVENTS, { executionId });
  const other = await running();
  for (const [workspace, request, status] of [
    [w, { executionId, after: 'line_x' }, 'INVALID_ARGUMENT'],
    [other.w, { executionId: other.executionId, after: next }, 'INVALID_ARGUMENT'],
    [other.w, { executionId }, 'NOT_FOUND'],
  ] as const) {
    expect((await workspace.post(EVENTS, request)).body.error.status).toBe(status);
  }
});

test('a server that stops answers those who wait', async () => {
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
  const isAsked = Promise.withResolvers<void>();
  app.addHook('preHandler', async () => isAsked.resolve());
  let closing: Promise<void> | undefined;
  onTestFinished(() => closing ?? app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const waiting = fetch(`${url}${EVENTS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...w.keyHeaders },
    body: JSON.stringify({ data: { executionId, waitMs: 30_000 } }),
  });
  await isAsked.promise;
  closing = app.close().then(() => {});
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service.
  const { result } = (await (await waiting).json()) as any;
  expect(result.data).toEqual({ events: [], next: null, done: false });
  await closing;
});
