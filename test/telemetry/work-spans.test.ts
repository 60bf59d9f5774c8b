import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/connections/connect.ts';
import type { JobHandlers } from '../../src/jobs/job-loops.ts';
import { startJobQueue } from '../../src/jobs/queue.ts';
import { beginOperation, inSpan, traceFields } from '../../src/lib/tracing/tracing.ts';
import { createMail } from '../../src/outside/mail/create-mail.ts';
import { createModels } from '../../src/outside/models/create-models.ts';
import { createSafeFetch } from '../../src/outside/net/safe-fetch.ts';
import { createGuard } from '../../src/outside/net/ssrf-guard.ts';
import { JOBS } from '../../src/roles/jobs/index.ts';
import { sendWebhook } from '../../src/webhooks/deliver/send-webhook.ts';
import { newDatabase } from '../database/new-database.ts';
import { startWebhookReceiver } from '../fakes/webhook-receiver.ts';
import { dispatch, links, siteOf, small, work, workspaceWithDocument } from '../reviews/runs.ts';
import { traced } from './traced.ts';

const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.1'] }), { userAgent: 'Test' });

test('a run has a span, its pages are below it, and no span has the query of a page', async () => {
  const site = await siteOf({ ...small, '/?token=SECRET': small['/'] });
  const w = await workspaceWithDocument();
  const executionId = await dispatch(w, links, { url: `${site.url}/?token=SECRET` });
  const collector = await traced();
  await work(w, executionId);
  await collector.flush();
  const run = collector.spans.find(({ name }) => name === 'run agent')!;
  expect(run.attributes).toMatchObject({
    'redpen.agent': 'custom',
    'redpen.execution.id': executionId,
    'redpen.execution.status': 'failed',
  });
  const [page] = collector.spans.filter(({ name }) => name === 'review page');
  expect(page).toMatchObject({ traceId: run.traceId, attributes: { 'url.full': `${site.url}/` } });
  const phase = collector.spans.find(({ name }) => name === 'gathering');
  expect(phase).toMatchObject({ traceId: run.traceId, parentSpanId: page?.spanId });
  expect(JSON.stringify(collector.spans)).not.toContain('SECRET');
});

test('a job continues the trace of the request that enqueued it', async () => {
  const { url } = await newDatabase();
  const database = await openDatabase({ databaseUrl: url, onError });
  const queue = await startJobQueue(database, JOBS, onError, { maxWaiting: 10, pollSeconds: 1 });
  onTestFinished(async () => {
    await queue.stop(0);
    await database.close();
  });
  const collector = await traced();
  const { promise: ran, resolve } = Promise.withResolvers<unknown>();
  const handlers = Object.fromEntries(
    JOBS.map(({ name }) => [name, async () => {}]),
  ) as unknown as JobHandlers;
  handlers['agent.run'] = async (payload) => resolve({ payload, trace: traceFields().trace_id });
  const payload = { workspaceId: 'w', apiKeyId: 'a', executionId: 'e' };
  const { span, run } = beginOperation('/v2/run', { name: 'POST /v2/run', kind: 'server' });
  await run(() => database.db.transaction().execute((tx) => queue.enqueue(tx, 'agent.run', payload)));
  span.end();
  await queue.work(handlers);
  expect(await ran).toEqual({ payload, trace: span.traceId });
  const job = await collector.span(({ name }) => name === 'process agent.run');
  expect(job).toMatchObject({
    kind: 5,
    traceId: span.traceId,
    parentSpanId: expect.any(String),
    attributes: { 'messaging.destination.name': 'agent.run', 'redpen.job.attempt': 1 },
  });
});

test('attempts of webhooks, mail and models are spans with their failure, and without contents', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  receiver.answer('/t/SECRET', [], { status: 503 });
  const collector = await traced();
  await sendWebhook(fetch, {
    url: receiver.url('/t/SECRET'),
    headers: { 'webhook-id': 'msg' },
    body: '{}',
    secrets: [],
  });
  const mail = createMail({ smtpUrl: undefined, from: undefined, fetch, sendgridUrl: 'http://127.0.0.1:9' });
  const message = {
    to: { address: 'SECRET@a.dev' },
    subject: 'SECRET',
    text: 'SECRET',
    html: '',
    messageId: 'm',
  };
  await expect(mail.send(message, { type: 'smtp' })).rejects.toThrow();
  const baseUrl = receiver.url('/v1');
  receiver.answer('/v1/chat/completions', [], { status: 401, body: '{"error":{"message":"SECRET"}}' });
  const models = createModels({
    providers: { claude: {}, gemini: {}, openai: { baseUrl } },
    allowedModels: [],
  });
  const request = {
    choice: { provider: 'openai', model: 'm' },
    instructions: 'SECRET',
    parts: [{ text: 'SECRET' }],
  } as const;
  await expect(inSpan('review', {}, () => models.ask(request as never))).rejects.toThrow();
  await models.close();
  await collector.flush();
  const failures = collector.spans.map(({ name, kind, isError, attributes }) => [
    name,
    kind,
    isError,
    attributes['error.type'],
  ]);
  expect(failures).toEqual([
    ['POST webhook', 3, true, '503'],
    ['send mail', 3, true, 'permanent'],
    ['chat m', 3, true, 'rejected'],
    ['review', 1, true, 'rejected'],
  ]);
  const chat = collector.spans.find(({ name }) => name === 'chat m');
  expect(chat?.attributes).toMatchObject({
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'm',
    'gen_ai.usage.input_tokens': 0,
  });
  expect(JSON.stringify(collector.spans)).not.toContain('SECRET');
});
