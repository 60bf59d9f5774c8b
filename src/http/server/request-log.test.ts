import { pino } from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { ApiError } from '../../lib/errors.ts';
import { read } from '../endpoint.ts';
import { createServer } from './server.ts';

const SLOW_MS = 1_000_000;

/** The lines that a server logs for requests to an operation with this handler. */
async function linesOf(
  handle: () => Promise<Record<string, never>>,
  { level = 'info', slowMs = SLOW_MS, requests = 1 } = {},
) {
  const { deps, authenticator } = await testApp();
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level, base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  const endpoint = read({
    path: '/v2/agents/get',
    auth: 'apiKey',
    summary: 'Try.',
    data: z.strictObject({}),
    result: z.object({}),
    message: 'Tried.',
    handle,
  });
  const app = await createServer({
    deps: { ...deps, log },
    endpoints: [endpoint],
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
    slowMs,
  });
  try {
    const { apiKeyId, keyHeaders, token } = await newWorkspace();
    for (let sent = 0; sent < requests; sent++) {
      await app.inject({
        method: 'POST',
        url: '/v2/agents/get?token=SECRET',
        headers: { ...keyHeaders, 'content-type': 'application/json', 'x-request-id': 'mine' },
        payload: '{"data":{}}',
      });
    }
    expect(JSON.stringify(lines)).not.toContain('SECRET');
    expect(JSON.stringify(lines)).not.toContain(token);
    const request = { requestId: 'mine', method: 'POST', path: '/v2/agents/get', apiKeyId };
    return { lines, request };
  } finally {
    await app.close();
  }
}

const nothing = async () => ({});
const failing = (error: Error) => async () => {
  throw error;
};

test('answered requests are logged at level debug only', async () => {
  expect((await linesOf(nothing)).lines).toEqual([]);
  const { lines, request } = await linesOf(nothing, { level: 'debug' });
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'debug',
      msg: 'request',
      status: 200,
      ms: expect.any(Number),
      ...request,
    }),
  ]);
});

test('a slow request is logged at level info', async () => {
  const { lines, request } = await linesOf(nothing, { slowMs: 0 });
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      msg: 'request is slow',
      status: 200,
      ms: expect.any(Number),
      ...request,
    }),
  ]);
});

test('an error of the caller is not logged', async () => {
  expect((await linesOf(failing(new ApiError('NOT_FOUND', 'There is none.')))).lines).toEqual([]);
});

test('an internal error is logged once, with its stack', async () => {
  const { lines, request } = await linesOf(failing(new TypeError('boom')), { slowMs: 0 });
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: 'request fails',
      status: 500,
      ms: expect.any(Number),
      err: expect.objectContaining({
        type: 'TypeError',
        stack: expect.stringContaining('request-log.test.ts'),
      }),
      ...request,
    }),
  ]);
});

test('a request that is refused with 503 is logged as a warning with the reason', async () => {
  const cause = new Error('connect ECONNREFUSED');
  const { lines, request } = await linesOf(
    failing(new ApiError('UNAVAILABLE', 'It cannot be reached.', { cause })),
  );
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'request cannot be served',
      status: 503,
      reason: 'connect ECONNREFUSED',
      ...request,
    }),
  ]);
});

test('lines about failures are throttled', async () => {
  const { lines } = await linesOf(failing(new TypeError('boom')), { requests: 30 });
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toMatchObject({ next: 'later ones are counted for a minute' });
});
