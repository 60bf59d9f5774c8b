import { expect, onTestFinished, test } from 'vitest';
import { fakeEmbeddings } from '../../../test/fakes/models/fake-embeddings.ts';
import { fakeModels, type Reply } from '../../../test/fakes/models/fake-models.ts';
import { startSmtpFake } from '../../../test/fakes/smtp-server.ts';
import { createEmbeddings } from '../../outside/embed/create-embeddings.ts';
import { createMail } from '../../outside/mail/create-mail.ts';
import type { ModelProvider } from '../../outside/models/models.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { BlobFailure } from '../../outside/storage/blob-store.ts';
import { createHealthWatch } from './health-watch.ts';
import { watchBlobs, watchEmbeddings, watchMail, watchModels } from './watch-use.ts';

function createWatch() {
  const health = createHealthWatch({ log: { info: () => {}, warn: () => {} } });
  onTestFinished(() => health.stop());
  const of = (name: string) => health.checks().find((check) => check.name === name);
  return { health, of };
}

test('a failed write of a file is reported until a write succeeds', async () => {
  const { health, of } = createWatch();
  let failure: Error | undefined;
  const put = async () => {
    if (failure) throw failure;
  };
  const stored: Omit<BlobStore, 'list'> = { put, get: async () => undefined, deletePrefix: put };
  const blobs = watchBlobs(stored as BlobStore, health);
  const keep = () => blobs.put('a', Buffer.from(''), 'text/plain');
  failure = new Error('Not a blob key');
  await expect(keep()).rejects.toBe(failure);
  expect(of('files')).toBeUndefined();
  failure = new BlobFailure('Files cannot be kept (REDPEN_BLOB_URL): EIO.', 'EIO', new Error('EIO: /data'));
  await expect(keep()).rejects.toBe(failure);
  expect(of('files')).toMatchObject({ status: 'failed', message: failure.message });
  failure = undefined;
  await keep();
  expect(of('files')).toMatchObject({ status: 'ok' });
});

test('an unreachable mail server is reported, and a refused recipient is not', async () => {
  const { health, of } = createWatch();
  let isRefusing = true;
  const fake = await startSmtpFake({ refuse: () => (isRefusing ? 550 : undefined) });
  const mail = watchMail(
    createMail({
      smtpUrl: `smtp://127.0.0.1:${fake.port}`,
      from: 'redpen@example.com',
      fetch: async () => expect.unreachable('No provider is asked.'),
      sendgridUrl: 'http://127.0.0.1:9',
    }),
    health,
  );
  onTestFinished(() => mail.close());
  const send = () =>
    mail.send(
      { to: { address: 'sam@example.com' }, subject: 'x', text: 'x', html: 'x', messageId: 'x' },
      { type: 'smtp' },
    );
  await expect(send()).rejects.toMatchObject({ kind: 'permanent' });
  expect(of('mail')).toBeUndefined();
  isRefusing = false;
  await send();
  await fake[Symbol.asyncDispose]();
  await expect(send()).rejects.toMatchObject({ kind: 'temporary' });
  expect(of('mail')).toMatchObject({
    status: 'failed',
    message: 'The mail server cannot be used (REDPEN_SMTP_URL).',
  });
});

test('a failing provider is reported until it answers; neither refused requests nor other providers change that', async () => {
  const { health, of } = createWatch();
  let reply: Reply = { status: 400, message: 'The model does not do that.' };
  const fake = await fakeModels(() => reply, { settings: { backoffMs: 1 } });
  onTestFinished(() => fake.close());
  const models = watchModels(fake.models, health);
  const ask = (provider: ModelProvider) =>
    models.ask({ choice: { provider, model: 'm' }, instructions: '', parts: [{ text: 'x' }] });
  await expect(ask('claude')).rejects.toMatchObject({ kind: 'rejected' });
  expect(of('model')).toBeUndefined();
  reply = { status: 503 };
  await expect(ask('claude')).rejects.toMatchObject({ kind: 'unavailable' });
  expect(of('model')).toMatchObject({
    status: 'failed',
    message: 'The model provider claude cannot be reached.',
  });
  reply = { text: 'Yes.' };
  await ask('openai');
  expect(of('model')).toMatchObject({ status: 'failed' });
  await ask('claude');
  expect(of('model')).toMatchObject({ status: 'ok' });
});

test('embeddings without a key are reported, and so is the recovery of a provider', async () => {
  const { health, of } = createWatch();
  const unconfigured = createEmbeddings({ choice: 'openai:small', providers: { openai: {}, gemini: {} } });
  onTestFinished(() => unconfigured.close());
  await expect(
    watchEmbeddings(unconfigured, 'openai:small', health).current.embedQuery('x'),
  ).rejects.toThrow();
  expect(of('embeddings')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('set OPENAI_API_KEY or OPENAI_BASE_URL'),
  });
  const fake = await fakeEmbeddings((texts) => texts.map(() => [1, 2]));
  onTestFinished(() => fake.close());
  const embeddings = createEmbeddings({
    choice: 'openai:small',
    providers: { openai: { baseUrl: fake.url('openai') }, gemini: {} },
  });
  onTestFinished(() => embeddings.close());
  const watched = watchEmbeddings(embeddings, 'openai:small', health);
  expect(watched.of('openai:small')).toBe(watched.current);
  await watched.current.embed(['x']);
  expect(of('embeddings')).toMatchObject({ status: 'ok' });
});
