import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';
import { createServer } from '../../../http/server/server.ts';

const file = (text: string | Buffer, more: object = {}) => ({
  source: 'inline',
  file: {
    base64: Buffer.from(text).toString('base64'),
    mimeType: 'text/plain',
    fileName: 'a.txt',
    fileSize: Buffer.from(text).length,
    ...more,
  },
});

const refusals: [string, string, object, RegExp][] = [
  ['ingest', 'no base64', file('x', { base64: '%%' }), /must be base64/],
  ['ingest', 'another size', file('x', { fileSize: 2 }), /has 1 bytes/],
  ['ingest', 'too large a file', file('x'.repeat(5_242_881), { fileSize: 5_242_880 }), /5242881 bytes/],
  ['ingest', 'another type', file('x', { mimeType: 'image/png' }), /mimeType/],
  ['ingest', 'bytes of another type', file('x', { mimeType: 'application/pdf' }), /said to be a PDF/],
  ['ingest', 'no UTF-8', file(Buffer.from([0x61, 0xff])), /not valid UTF-8/],
  ['ingest', 'a document alone', { ...file('x'), documentId: 'home' }, /organizationId/],
  ['ingest', 'no URI', { source: 'fileRef', fileRef: 'no', mimeType: 'text/plain' }, /fileRef/],
];

test('invalid requests are refused with the reason', async () => {
  const workspace = await newWorkspace();
  for (const [path, what, data, message] of refusals) {
    const { status, body } = await workspace.post(`/v2/memory/knowledge/${path}`, data);
    expect([what, status, body.error?.status]).toEqual([what, 400, 'INVALID_ARGUMENT']);
    expect(body.error.message).toMatch(message);
  }
});

test('for an unknown source, some operations are NOT_FOUND and others return nothing', async () => {
  const workspace = await newWorkspace();
  const sourceId = 'src_unknown';
  const outcomeOf = async (path: string, data: object) => {
    const { status, body } = await workspace.post(`/v2/memory/knowledge/${path}`, data);
    return body.error ? [status, body.error.status] : body.result;
  };
  expect(await outcomeOf('ingest-status', { sourceId })).toEqual([404, 'NOT_FOUND']);
  expect(await outcomeOf('delete', { sourceId })).toEqual([404, 'NOT_FOUND']);
  expect(await outcomeOf('update', { sourceId, newContent: '- x y' })).toEqual([404, 'NOT_FOUND']);
  expect(await outcomeOf('download', { sourceId })).toBeNull();
  expect(await outcomeOf('rules', { sourceId })).toEqual([]);
  const foreign = { source: 'fileRef', fileRef: 'redpen://knowledge-uploads/upl_1', mimeType: 'text/csv' };
  expect(await outcomeOf('ingest', foreign)).toEqual([403, 'PERMISSION_DENIED']);
});

test('requests are limited per API key', async () => {
  const { deps, authenticator } = await testApp();
  const { endpoints } = await import('../../index.ts');
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  const settings = { ...deps.settings, keyRateFactor: 0.1 };
  const app = await createServer({
    deps: { ...deps, settings },
    endpoints,
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  const ask = (headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/v2/memory/knowledge/delete',
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ data: { sourceId: 'src_unknown' } }),
    });
  const answers = [];
  for (let count = 0; count < 4; count++) answers.push(await ask(one.keyHeaders));
  // The window may have ended in between.
  if (answers[3]!.statusCode === 404) answers.push(await ask(one.keyHeaders), await ask(one.keyHeaders));
  const last = answers.at(-1)!;
  expect([last.statusCode, last.json().error.status]).toEqual([429, 'RESOURCE_EXHAUSTED']);
  expect(last.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' });
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(other.keyHeaders)).statusCode).toBe(404);
  await app.close();
});
