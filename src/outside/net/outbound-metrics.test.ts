import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { failure, one, stage } from '../../../test/fakes/models/stage.ts';
import { startSmtpFake } from '../../../test/fakes/smtp-server.ts';
import { riseOf } from '../../../test/house/metric-counts.ts';
import { createMail } from '../mail/create-mail.ts';
import { openBlobStore } from '../storage/open-blob-store.ts';
import { blobBytes, blobOperations, mails, modelRequests, modelTokens } from './outbound-metrics.ts';
import { createSafeFetch } from './safe-fetch.ts';
import { createGuard } from './ssrf-guard.ts';

const claude = { provider: 'claude', model: 'claude-sonnet-5' } as const;

test('tokens are counted by provider and kind, each once', async () => {
  const { ask } = await stage(() => ({ json: one, usage: { input: 100, output: 20, thoughts: 8 } }));
  const rises: Record<string, number> = {};
  for (const kind of ['prompt', 'completion', 'thoughts'])
    rises[kind] = await riseOf(modelTokens, { provider: 'claude', kind }, () => ask(claude));
  const { usage } = await ask(claude);
  expect(rises.prompt).toBe(100);
  expect(rises.prompt! + rises.completion! + rises.thoughts!).toBe(usage.totalTokens);
  const answered = { provider: 'claude', outcome: 'answered' };
  expect(await riseOf(modelRequests, answered, () => ask(claude))).toBe(1);
});

test('a failed question is counted as such, with its tokens', async () => {
  const { ask } = await stage(() => ({ text: 'no JSON', usage: { input: 7, output: 3, thoughts: 0 } }));
  const malformed = { provider: 'claude', outcome: 'malformed' };
  const prompt = { provider: 'claude', kind: 'prompt' };
  expect(await riseOf(modelRequests, malformed, () => failure(ask(claude)))).toBe(1);
  expect(await riseOf(modelTokens, prompt, () => failure(ask(claude)))).toBe(14);
});

test('mail is counted by carrier and outcome', async () => {
  await using server = await startSmtpFake();
  const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.1'] }), { userAgent: 'Test' });
  const options = { from: 'redpen@example.com', fetch, sendgridUrl: 'http://127.0.0.1:9', timeoutMs: 60_000 };
  const message = { to: { address: 'sam@example.com' }, subject: 's', text: 't', html: 'h', messageId: 'm' };
  const mail = createMail({ ...options, smtpUrl: `smtp://127.0.0.1:${server.port}` });
  const none = createMail({ ...options, smtpUrl: undefined });
  const send = (mailer: typeof mail) => mailer.send(message, { type: 'smtp' }).catch(() => {});
  expect(await riseOf(mails, { carrier: 'smtp', outcome: 'sent' }, () => send(mail))).toBe(1);
  expect(await riseOf(mails, { carrier: 'smtp', outcome: 'permanent' }, () => send(none))).toBe(1);
  mail.close();
});

test('blob operations are counted by operation, outcome and bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-blobs-'));
  const store = openBlobStore(pathToFileURL(folder).href);
  const put = () => store.put('a', Buffer.from('12345'), 'text/plain');
  expect(await riseOf(blobOperations, { operation: 'put', outcome: 'done' }, put)).toBe(1);
  expect(await riseOf(blobBytes, { operation: 'put' }, put)).toBe(5);
  expect(await riseOf(blobBytes, { operation: 'get' }, () => store.get('a'))).toBe(5);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const broken = openBlobStore(pathToFileURL(file).href);
  const fail = () => broken.put('a', Buffer.from('x'), 'text/plain').catch(() => {});
  expect(await riseOf(blobOperations, { operation: 'put', outcome: 'failed' }, fail)).toBe(1);
});
