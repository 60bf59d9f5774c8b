import { expect, onTestFinished, test } from 'vitest';
import { fakeEmbeddings } from '../../../test/fakes/models/fake-embeddings.ts';
import { type FakeOptions, fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { startSmtpFake, TEST_CERTIFICATE } from '../../../test/fakes/smtp-server.ts';
import { startTunnel } from '../../../test/fakes/tunnel.ts';
import { readConfig } from '../../config.ts';
import { providersOf } from '../setup/places.ts';
import { createClocks } from './check-clock.ts';
import { checkEmbeddings } from './check-embeddings.ts';
import { checkMail } from './check-mail.ts';
import { checkModel } from './check-model.ts';
import { checkRedis } from './check-redis.ts';
import { secretsCutter } from './without-secrets.ts';

const LONG_MS = 60_000;
const { signal } = new AbortController();

test('mail: a server that accepts the login passes, and receives no mail', async () => {
  await using server = await startSmtpFake({
    disabledCommands: [],
    authOptional: false,
    onAuth: ({ username, password }, session, done) =>
      password === 'p@ss-word' && session.secure
        ? done(null, { user: username })
        : done(Object.assign(new Error('Wrong'), { responseCode: 535 })),
  });
  const url = (password: string) => `smtp://me%40x:${password}@127.0.0.1:${server.port}`;
  const check = (password: string) =>
    checkMail({ REDPEN_SMTP_URL: url(password) }, LONG_MS, TEST_CERTIFICATE);
  expect(await check('p%40ss-word')).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('accepted the login of me@x'),
  });
  expect(server.received).toEqual([]);
  const refused = await check('hunter22');
  expect(refused).toMatchObject({
    status: 'failed',
    found: expect.stringContaining(`smtp://127.0.0.1:${server.port} cannot be used`),
    advice: 'Check REDPEN_SMTP_URL: the server refuses its user and password.',
    brief: 'The mail server cannot be used (REDPEN_SMTP_URL): EAUTH.',
  });
  expect(JSON.stringify(refused)).not.toContain('hunter22');
  // No authority has signed this certificate.
  expect(await checkMail({ REDPEN_SMTP_URL: url('p%40ss-word') }, LONG_MS)).toMatchObject({
    status: 'failed',
  });
});

test('mail: an unreachable server fails, and a missing setting is skipped', async () => {
  const server = await startSmtpFake();
  const url = `smtp://127.0.0.1:${server.port}`;
  expect(await checkMail({ REDPEN_SMTP_URL: url }, LONG_MS)).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('takes mail without a login'),
  });
  await server[Symbol.asyncDispose]();
  expect(await checkMail({ REDPEN_SMTP_URL: url }, LONG_MS)).toMatchObject({
    status: 'failed',
    found: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await checkMail({ REDPEN_SMTP_URL: undefined }, LONG_MS)).toMatchObject({ status: 'skipped' });
});

test('redis: an unreachable server fails, and a missing setting is skipped', async () => {
  const closed = await startTunnel({ host: '127.0.0.1', port: 0 });
  await closed.close();
  expect(await checkRedis(`redis://127.0.0.1:${closed.port}`, LONG_MS)).toMatchObject({
    status: 'failed',
    found: expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+ cannot be used/),
  });
  expect(await checkRedis(undefined, LONG_MS)).toMatchObject({ status: 'skipped' });
});

/** Creates a check of the model settings, with a fake provider that lists these models. */
async function createModelCheck(lists: FakeOptions['lists']) {
  const fake = await fakeModels(() => ({ text: '' }), lists && { lists });
  onTestFinished(() => fake.close());
  const check = (env: Record<string, string>) => {
    const config = readConfig(env);
    return checkModel({
      providers: providersOf(config),
      defaultModel: config.REDPEN_MODEL,
      allowedModels: config.REDPEN_MODELS,
      signal,
    });
  };
  return { fake, check };
}

test('model: a provider that has the model passes', async () => {
  const { fake, check } = await createModelCheck({ names: ['qwen3', 'llama3'] });
  const clocks = createClocks();
  const OPENAI_BASE_URL = fake.url('openai');
  expect(await check({ OPENAI_BASE_URL, REDPEN_MODEL: 'openai/qwen3' })).toMatchObject({
    status: 'ok',
    found: `${OPENAI_BASE_URL} answers with 2 models, qwen3 among them.`,
  });
  await checkModel({
    providers: providersOf(readConfig({ OPENAI_BASE_URL })),
    defaultModel: 'openai/qwen3',
    allowedModels: [],
    signal,
    clocks,
  });
  expect(clocks.readings()).toHaveLength(1);
  expect(await check({})).toMatchObject({ status: 'skipped' });
});

test('model: without REDPEN_MODEL, a model of the local server is suggested', async () => {
  const { fake, check } = await createModelCheck({ names: ['qwen3'] });
  expect(await check({ OPENAI_BASE_URL: fake.url('openai') })).toMatchObject({
    status: 'failed',
    found: expect.stringContaining('the default if REDPEN_MODEL is not set'),
    advice: 'Set REDPEN_MODEL=openai/qwen3.',
  });
  expect(
    await check({
      OPENAI_BASE_URL: fake.url('openai'),
      REDPEN_MODEL: 'openai/qwen3',
      REDPEN_MODELS: 'openai/other',
    }),
  ).toMatchObject({ status: 'failed', found: expect.stringContaining('but not openai/other') });
});

test('model: a refused key and an unreachable provider fail', async () => {
  const { fake, check } = await createModelCheck({ names: [], status: 401 });
  const env = { ANTHROPIC_BASE_URL: fake.url('claude'), ANTHROPIC_API_KEY: 'sk-hunter22' };
  const refused = await check(env);
  expect(refused).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('ANTHROPIC_API_KEY'),
    brief: 'The model provider claude refuses the key (ANTHROPIC_API_KEY).',
  });
  expect(JSON.stringify(refused)).not.toContain('hunter22');
  await fake.close();
  expect(await check(env)).toMatchObject({
    status: 'failed',
    found: `The connection to the provider at ${env.ANTHROPIC_BASE_URL} failed (ECONNREFUSED).`,
    brief: 'The model provider claude cannot be reached (ANTHROPIC_BASE_URL).',
  });
}, 120_000);

test('model: a server without a list of models is a warning', async () => {
  const { fake, check } = await createModelCheck(undefined);
  expect(await check({ OPENAI_BASE_URL: fake.url('openai'), REDPEN_MODEL: 'openai/x' })).toMatchObject({
    status: 'warning',
  });
});

test('embeddings: the local model and a configured provider pass, and a provider without a key fails', async () => {
  const none = providersOf(readConfig({}));
  expect(await checkEmbeddings({ choice: 'local', providers: none, signal })).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('384 numbers'),
  });
  const fake = await fakeEmbeddings((texts) => texts.map(() => [1, 2, 3]));
  onTestFinished(() => fake.close());
  const providers = providersOf(readConfig({ OPENAI_BASE_URL: fake.url('openai') }));
  expect(await checkEmbeddings({ choice: 'openai:small', providers, signal })).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('openai:small returned 3 numbers'),
  });
  expect(await checkEmbeddings({ choice: 'openai:small', providers: none, signal })).toMatchObject({
    status: 'failed',
    brief: 'REDPEN_EMBEDDINGS names openai, which is not configured: set OPENAI_API_KEY or OPENAI_BASE_URL.',
  });
});

test('secrets of the settings are removed from every text', () => {
  const hideSecrets = secretsCutter(
    readConfig({
      DATABASE_URL: 'postgres://me:s3cr%20et@db/x',
      REDIS_URL: 'redis://:redis-secret@cache',
      OPENAI_API_KEY: 'sk-openai',
    }),
  );
  expect(hideSecrets('s3cr%20et, s3cr et, redis-secret, sk-openai, db')).toBe('***, ***, ***, ***, db');
});
