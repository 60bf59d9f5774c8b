import { afterAll, expect, test } from 'vitest';
import type { Answer } from '../../../test/fakes/webhook-answers.ts';
import { startWebhookReceiver } from '../../../test/fakes/webhook-receiver.ts';
import { INTERNAL_LITERALS, INTERNAL_NAMES } from '../../../test/reviews/internal-hosts.ts';
import { until } from '../../../test/run/until.ts';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { SEND_TIMEOUT_MS, sendWebhook } from './send-webhook.ts';

const receiver = await startWebhookReceiver();
const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.1'] }), { userAgent: 'Test' });
const strict = createSafeFetch(createGuard({ allowHosts: [] }), { userAgent: 'Test' });
afterAll(async () => {
  await Promise.all([fetch.close(), strict.close()]);
  await receiver[Symbol.asyncDispose]();
});

const to = (path: string, secrets: string[] = []) => ({
  url: receiver.url(path),
  headers: { 'content-type': 'application/json' },
  body: '{"a":"ü"}',
  secrets,
});

async function answered(path: string, answer: Answer) {
  receiver.answer(path, [], answer);
  return (await sendWebhook(fetch, to(path)))!;
}

test.each([200, 201, 202, 204, 299])('%i is success', async (status) => {
  const sent = await answered(`/ok/${status}`, { status });
  expect(sent.attempt).toMatchObject({ outcome: 'delivered', status, latencyMs: expect.any(Number) });
  expect(receiver.at(`/ok/${status}`)[0]!.raw.toString()).toBe('{"a":"ü"}');
});

test.each([300, 304, 400, 401, 404, 410, 418, 429, 500, 503])('%i is failure', async (status) => {
  const sent = await answered(`/no/${status}`, { status });
  expect(sent).toMatchObject({ attempt: { outcome: 'refused', status }, isGone: status === 410 });
  expect(sent.attempt.error).toContain(String(status));
});

test.each([301, 302, 303, 307, 308])('the redirect of a %i is not followed', async (status) => {
  const location = receiver.url('/elsewhere');
  const sent = await answered(`/moved/${status}`, { status, headers: { location } });
  expect(sent.attempt).toMatchObject({ outcome: 'refused', status });
  expect(receiver.at('/elsewhere')).toEqual([]);
});

test('a reset and an incomplete answer are failures that a retry may mend', async () => {
  expect((await answered('/reset', 'reset')).attempt).toMatchObject({ outcome: 'unreachable' });
  expect((await answered('/close', 'close')).attempt).toMatchObject({ outcome: 'unreachable' });
});

test('only the beginning of a huge answer is read, and less of it is stored', async () => {
  const sent = await answered('/flood', 'flood');
  expect(sent.attempt).toMatchObject({ outcome: 'delivered', status: 200 });
  expect(sent.attempt.response).toBe('x'.repeat(1_000));
});

test.each(['hang', 'drip'] as const)(
  'a receiver whose answer does not end (%s) is cut off at the time limit',
  async (answer) => {
    const limits: unknown[] = [];
    // A real time limit, as short as the test sets it.
    const hasty: typeof fetch = Object.assign(
      (url: string, options: Parameters<typeof fetch>[1]) => {
        limits.push(options?.timeoutMs);
        return fetch(url, { ...options, timeoutMs: 300 });
      },
      { close: fetch.close },
    );
    receiver.answer(`/${answer}`, [], answer);
    const { attempt } = (await sendWebhook(hasty, to(`/${answer}`)))!;
    expect(limits).toEqual([SEND_TIMEOUT_MS]);
    expect(attempt.outcome).toBe('timeout');
    expect(attempt.latencyMs).toBeGreaterThanOrEqual(299);
  },
);

test('echoed secrets and characters that the database cannot store are not stored', async () => {
  receiver.answer('/echo', [{ status: 500, body: 'you sent whsec_canary and token\0 \u{1f600}' }]);
  const sent = await sendWebhook(fetch, to('/echo', ['whsec_canary', 'token', '']));
  expect(sent!.attempt.response).toBe('you sent [secret] and [secret]\u{fffd} \u{1f600}');
});

test('retry-after is read of failures only', async () => {
  const headers = { 'retry-after': '7' };
  expect((await answered('/later', { status: 503, headers })).retryAfterMs).toBe(7_000);
  expect((await answered('/fine', { status: 200, headers })).retryAfterMs).toBeUndefined();
});

test('an aborted request is not an attempt', async () => {
  receiver.answer('/cut', [], 'hang');
  const stop = new AbortController();
  const sent = sendWebhook(fetch, to('/cut'), stop.signal);
  await until(() => receiver.at('/cut').length > 0, 'the request');
  stop.abort();
  expect(await sent).toBeUndefined();
});

test.each([...INTERNAL_LITERALS, ...INTERNAL_NAMES])('nothing is sent to %s', async (host) => {
  const before = receiver.received.length;
  for (const url of [`http://${host}:${receiver.port}/in`, `https://${host}/in`]) {
    const sent = (await sendWebhook(strict, { ...to('/in'), url }))!;
    expect(sent).toMatchObject({ isForbidden: true, isGone: false });
    // The same message as for a host that does not answer, so that nothing about the inside is revealed.
    expect(sent.attempt).toMatchObject({
      outcome: 'unreachable',
      error: 'The address could not be reached.',
    });
  }
  expect(receiver.received).toHaveLength(before);
});

test('a name that resolves to an internal address at the time of delivery is refused', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? '127.0.0.1' : '93.184.216.34', family: 4 }];
  };
  const rebound = createSafeFetch(createGuard({ allowHosts: [], resolve, connectTimeoutMs: 500 }), {
    userAgent: 'Test',
  });
  const before = receiver.received.length;
  const sent = await sendWebhook(rebound, { ...to('/in'), url: `http://hooks.example.com:8081/in` });
  expect(sent).toMatchObject({ isForbidden: true, attempt: { outcome: 'unreachable' } });
  expect(receiver.received).toHaveLength(before);
  await rebound.close();
});
