import { expect, test } from 'vitest';
import { reachService } from './reach-service.ts';

const reach = (send: typeof fetch, signal = new AbortController().signal) =>
  reachService({
    baseUrl: 'http://redpen.internal',
    fetch: send,
    credentials: { authorization: 'Bearer rp_x' },
    isPerson: true,
    assistant: 'Zoé\n\u202eCode',
    signal,
  });

const REFUSED = { error: { status: 'RESOURCE_EXHAUSTED', message: 'Too many.' } };

test('a refused call is not sent again, and each names the assistant', async () => {
  const sent: Headers[] = [];
  const { call } = reach(async (_, init) => {
    sent.push(new Headers(init?.headers));
    return Response.json(REFUSED, { status: 429, headers: { 'retry-after': '0' } });
  });
  await expect(call('/v2/reviews/list', {})).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
  expect(sent).toHaveLength(1);
  expect(sent[0]!.get('x-redpen-assistant')).toBe(encodeURIComponent('Zoé Code'));
  expect(sent[0]!.get('authorization')).toBe('Bearer rp_x');
});

test('the end of a tool call ends its requests', async () => {
  const stop = new AbortController();
  const { call } = reach(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init!.signal!.addEventListener('abort', () => reject(new Error('ended')));
        stop.abort();
      }),
    stop.signal,
  );
  await expect(call('/v2/reviews/list', {})).rejects.toThrow('ended');
});
