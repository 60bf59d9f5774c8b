import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FetchFailure, type FetchFailureKind, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { createChecker } from './link-checker.ts';
import { extractLinks } from './page/extract-links.ts';

type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  failure?: FetchFailureKind;
  /** The answer waits for this. */
  after?: Promise<unknown>;
};

/** A fetch that answers from a table, one entry per visit; the last entry repeats. */
function tableFetch(table: Record<string, Answer | Answer[]>) {
  const requested: string[] = [];
  let concurrent = 0;
  let maxConcurrent = 0;
  const fetch: SafeFetch = async (url, options) => {
    const path = url.replace('http://h.example', '');
    requested.push(path);
    maxConcurrent = Math.max(maxConcurrent, ++concurrent);
    const entry = table[path] ?? { status: 404 };
    const visits = requested.filter((other) => other === path).length;
    const answer = Array.isArray(entry) ? entry[Math.min(visits, entry.length) - 1]! : entry;
    await (answer.after ?? nextTurn());
    concurrent--;
    if (answer.failure) throw new FetchFailure(answer.failure, url, 'failed');
    const status = answer.status ?? 200;
    const headers = { 'content-type': 'text/html', ...answer.headers };
    const body = options?.wantBody?.(status, headers) ? (answer.body ?? '') : '';
    return { url, status, headers, body: Buffer.from(body), truncated: false, redirects: [] };
  };
  return { fetch, requested, maxConcurrent: () => maxConcurrent };
}

const TIMING = { retryDelayMs: 5, maxWaitMs: 50 };
const link = (path: string) => ({ url: `http://h.example${path}`, valid: true, kind: 'anchor' as const });

test('an address that many pages link to is fetched once', async () => {
  const { fetch, requested } = tableFetch({ '/a': {} });
  const checker = createChecker({ fetch });
  await Promise.all([checker.check(link('/a')), checker.check(link('/a')), checker.check(link('/a#'))]);
  await checker.check(link('/a'));
  expect(requested).toEqual(['/a']);
});

test('a page that was read for its links is not fetched again for a fragment', async () => {
  const { fetch, requested } = tableFetch({ '/a': { body: '<p id=x>' } });
  const checker = createChecker({ fetch });
  await checker.read('http://h.example/a');
  expect(await checker.check(link('/a#x'))).toBeUndefined();
  expect((await checker.check(link('/a#y')))?.type).toBe('fragment');
  expect(requested).toEqual(['/a']);
});

test('a common target of redirects is fetched once', async () => {
  const { fetch, requested } = tableFetch({
    '/1': { status: 301, headers: { location: '/end' } },
    '/2': { status: 302, headers: { location: '/end' } },
    '/end': {},
  });
  const checker = createChecker({ fetch });
  await Promise.all([checker.check(link('/1')), checker.check(link('/2'))]);
  expect(requested.filter((path) => path === '/end')).toHaveLength(1);
});

test.each<[string, Answer[]]>([
  ['a reset', [{ failure: 'reset' }, {}]],
  ['a timeout', [{ failure: 'timeout' }, {}]],
  ['an error of the server', [{ status: 502 }, {}]],
  ['a temporary refusal', [{ status: 429, headers: { 'retry-after': '0' } }, {}]],
])('%s that does not recur is not a fault', async (_name, answers) => {
  const checker = createChecker({ fetch: tableFetch({ '/a': answers }).fetch, timing: TIMING });
  expect(await checker.check(link('/a'))).toBeUndefined();
});

test('a Retry-After beyond the limit makes the refusal final', async () => {
  const { fetch, requested } = tableFetch({ '/a': { status: 429, headers: { 'retry-after': '3600' } } });
  expect((await createChecker({ fetch, timing: TIMING }).check(link('/a')))?.type).toBe('rate-limited');
  expect(requested).toEqual(['/a']);
});

test('the throttle slows down for a host with a rate limit until all answers come', async () => {
  let inWindow = 0;
  const fetch: SafeFetch = async (url) => {
    inWindow++;
    // The host allows ten requests within 100 ms.
    setTimeout(() => inWindow--, 100);
    const status = inWindow > 10 ? 429 : 200;
    return { url, status, headers: {}, body: new Uint8Array(), truncated: false, redirects: [] };
  };
  const checker = createChecker({ fetch, timing: { retryDelayMs: 100, maxWaitMs: 60_000 } });
  const faults = await Promise.all(
    Array.from({ length: 60 }, (_, index) => checker.check(link(`/${index}`))),
  );
  expect(faults.filter(Boolean)).toEqual([]);
});

test('an address that the SSRF guard refuses is reported once and is not broken', async () => {
  const { fetch } = tableFetch({ '/a': { failure: 'refused-host' } });
  const noted: string[] = [];
  const checker = createChecker({ fetch, onUnchecked: (url) => noted.push(url) });
  expect([await checker.check(link('/a')), await checker.check(link('/a'))]).toEqual([undefined, undefined]);
  expect(noted).toEqual(['http://h.example/a']);
});

test('a fragment that scripts may add is looked up in a browser, once per page', async () => {
  const { fetch } = tableFetch({ '/a': { body: '<script>1</script>' } });
  const drawn: string[] = [];
  const render = async (url: string) => {
    drawn.push(url);
    return extractLinks('<p id=drawn>', url, { rendered: true });
  };
  const checker = createChecker({ fetch, render });
  const [there, missing] = await Promise.all([
    checker.check(link('/a#drawn')),
    checker.check(link('/a#not')),
  ]);
  expect(there).toBeUndefined();
  expect(missing).toMatchObject({ type: 'fragment', certain: true });
  expect(drawn).toEqual(['http://h.example/a']);
});

test('without a browser a fragment that scripts may draw is reported as uncertain', async () => {
  const { fetch } = tableFetch({ '/a': { body: '<script>1</script>' } });
  const render = () => Promise.reject(new Error('no browser'));
  expect(await createChecker({ fetch, render }).check(link('/a#x'))).toMatchObject({ certain: false });
});

test('concurrent requests to one host are limited', async () => {
  const table = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`/${index}`, {}]));
  const { fetch, maxConcurrent } = tableFetch(table);
  const checker = createChecker({ fetch, perHost: 4 });
  await Promise.all(Object.keys(table).map((path) => checker.check(link(path))));
  expect(maxConcurrent()).toBe(4);
});

test('addresses that no caller waits for any more are not fetched', async () => {
  const answer = Promise.withResolvers<void>();
  const { fetch, requested } = tableFetch({ '/first': { after: answer.promise } });
  const checker = createChecker({ fetch, perHost: 1 });
  const stop = new AbortController();
  const first = checker.check(link('/first'), stop.signal).catch(() => 'stopped');
  const second = checker.check(link('/second'), stop.signal).catch(() => 'stopped');
  await nextTurn();
  stop.abort();
  expect(await Promise.all([first, second])).toEqual(['stopped', 'stopped']);
  answer.resolve();
  // A fence: it is queued behind the dropped request.
  await checker.check(link('/third'));
  expect(requested).not.toContain('/second');
  expect((await checker.check(link('/second')))?.status).toBe(404);
});

const SHORT = { timeoutMs: 40, patientTimeoutMs: 60, silentTimeoutMs: 10, retryDelayMs: 1, maxWaitMs: 50 };

/** A fetch of a host whose addresses either answer in time or never. */
function hostFetch(answers: (path: string) => boolean) {
  const requested: { path: string; method?: string; timeoutMs?: number }[] = [];
  const fetch: SafeFetch = async (url, { method, timeoutMs } = {}) => {
    const path = url.replace('http://h.example', '');
    requested.push({ path, method, timeoutMs });
    if (!answers(path)) {
      // Like a real fetch, it fails only at its timeout.
      await wait(timeoutMs);
      throw new FetchFailure('timeout', url, 'late');
    }
    return { url, status: 200, headers: {}, body: new Uint8Array(), truncated: false, redirects: [] };
  };
  return { fetch, requested };
}

test('a host that never answers gets a few patient requests and then none', async () => {
  const { fetch, requested } = hostFetch(() => false);
  const checker = createChecker({ fetch, timing: SHORT, perHost: 4 });
  const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
  const faults = await Promise.all(paths.map((path) => checker.check(link(path))));
  expect(faults.every((fault) => fault?.type === 'timeout')).toBe(true);
  const patient = new Set(requested.filter(({ timeoutMs }) => timeoutMs! > 10).map(({ path }) => path));
  expect(patient.size).toBeLessThanOrEqual(12);
  expect(new Set(requested.map(({ path }) => path)).size).toBeLessThan(60);
  expect(faults.filter((fault) => fault?.presumed).length).toBeGreaterThan(240);
  expect(faults[0]!.presumed).toBeUndefined();
});

test('a slow address gets its full timeout even if many others of its host hang', async () => {
  const requested: number[] = [];
  const fetch: SafeFetch = async (url, { timeoutMs } = {}) => {
    const isSlow = url.endsWith('/slow');
    if (isSlow) requested.push(timeoutMs!);
    const takesMs = isSlow ? 25 : url.endsWith('/ok') ? 0 : 1_000;
    await wait(Math.min(takesMs, timeoutMs!));
    if (takesMs > timeoutMs!) throw new FetchFailure('timeout', url, 'late');
    return { url, status: 200, headers: {}, body: new Uint8Array(), truncated: false, redirects: [] };
  };
  const checker = createChecker({ fetch, timing: SHORT });
  await checker.check(link('/ok'));
  await Promise.all(Array.from({ length: 60 }, (_, index) => checker.check(link(`/${index}`))));
  expect(await checker.check(link('/slow'))).toBeUndefined();
  expect(requested.at(-1)).toBe(SHORT.timeoutMs);
});

test('a host that has answered once never counts as dead', async () => {
  const { fetch, requested } = hostFetch((path) => path.startsWith('/ok'));
  const checker = createChecker({ fetch, timing: SHORT });
  expect(await checker.check(link('/ok'))).toBeUndefined();
  const paths = Array.from({ length: 100 }, (_, index) => (index % 2 ? `/ok${index}` : `/${index}`));
  const faults = await Promise.all(paths.map((path) => checker.check(link(path))));
  expect(faults.map((fault) => fault?.type)).toEqual(
    paths.map((path) => (path.startsWith('/ok') ? undefined : 'timeout')),
  );
  expect(faults.some((fault) => fault?.presumed)).toBe(false);
  expect(requested.filter(({ timeoutMs }) => timeoutMs === SHORT.silentTimeoutMs)).toEqual([]);
});

test('a redirect to an invalid address is reported with that address', async () => {
  const { fetch } = tableFetch({ '/a': { status: 302, headers: { location: 'http://[bad' } } });
  expect(await createChecker({ fetch }).check(link('/a'))).toMatchObject({
    type: 'bad-redirect',
    finalUrl: 'http://[bad',
  });
});
