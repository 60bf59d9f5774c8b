import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newWebhookStage } from '../../../test/messages/webhook-stage.ts';
import { until } from '../../../test/run/until.ts';
import { testApp } from '../../../test/service/harness.ts';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { createEndpointLog } from './endpoint-log.ts';
import { RETRY_STEPS_MS } from './retry-schedule.ts';

type Line = Record<string, unknown>;

function listenTo() {
  const lines: Line[] = [];
  const log = pino(
    { base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  /** The lines about one workspace, since a deliverer also delivers messages of other tests. */
  const of = ({ apiKeyId }: { apiKeyId: string }) => lines.filter((line) => line.apiKeyId === apiKeyId);
  return { lines, log, of };
}

test('a failing endpoint is logged at its first failure and when a message is given up, not in between', async () => {
  const { log, of } = listenTo();
  await using stage = await newWebhookStage({ log });
  const endpointId = await stage.endpoint('/down?token=SECRET');
  stage.receiver.answer('/down?token=SECRET', [], { status: 500 });
  await stage.change('d1');
  const tried = async (count: number) => {
    const tries = async () => (await stage.deliveries(endpointId))[0]?.attempts.length === count;
    await until(tries, `try ${count}`);
    return (await stage.deliveries(endpointId))[0];
  };
  for (const index of RETRY_STEPS_MS.keys()) {
    const { nextAt } = await tried(index + 1);
    stage.advance(nextAt - stage.now());
  }
  await tried(RETRY_STEPS_MS.length + 1);
  await until(() => of(stage.workspace).length === 2, 'two lines');
  const about = {
    level: 'warn',
    endpointId,
    apiKeyId: stage.workspace.apiKeyId,
    host: new URL(stage.receiver.url('/')).host,
    messageId: expect.any(String),
    event: 'document.update',
    status: 500,
    reason: 'The receiver answered 500; only 2xx counts as delivered.',
  };
  expect(of(stage.workspace)).toEqual([
    { ...about, msg: 'webhook endpoint begins to fail', tries: 1 },
    { ...about, msg: 'webhook failed on its last attempt', tries: RETRY_STEPS_MS.length + 1 },
  ]);
  expect(JSON.stringify(of(stage.workspace))).not.toContain('SECRET');
});

test('an endpoint that recovers is logged', async () => {
  const { log, of } = listenTo();
  await using stage = await newWebhookStage({ log });
  const endpointId = await stage.endpoint('/flaky');
  stage.receiver.answer('/flaky', [{ status: 503 }]);
  await stage.change('d1');
  await until(() => of(stage.workspace).length === 1, 'the line of the failure');
  const [{ nextAt }] = await stage.deliveries(endpointId);
  stage.advance(nextAt - stage.now());
  await until(() => of(stage.workspace).length === 2, 'the line of the success');
  expect(of(stage.workspace)[1]).toMatchObject({
    level: 'info',
    msg: 'webhook endpoint recovers',
    endpointId,
  });
});

test('a host that the SSRF guard refuses is logged with how to allow it', async () => {
  const { log, of } = listenTo();
  const { deps } = await testApp();
  const webhooks = createSafeFetch(createGuard({ allowHosts: [] }), { userAgent: 'Redpen test' });
  await using stage = await newWebhookStage({
    log,
    outside: { webhooks, webhookTargets: deps.outside.webhookTargets },
  });
  const endpointId = await stage.endpoint('/inside');
  await stage.change('d1');
  await until(() => of(stage.workspace).length === 1, 'the line');
  expect(of(stage.workspace)[0]).toMatchObject({
    level: 'warn',
    msg: 'webhook endpoint begins to fail',
    endpointId,
    tries: 1,
    reason: expect.stringContaining('REDPEN_ALLOW_HOSTS'),
  });
});

test('an endpoint that is gone is logged when it is disabled', async () => {
  const { log, of } = listenTo();
  await using stage = await newWebhookStage({ log });
  const endpointId = await stage.endpoint('/gone');
  stage.receiver.answer('/gone', [], { status: 410 });
  await stage.change('d1');
  await until(() => of(stage.workspace).length === 1, 'the line');
  expect(of(stage.workspace)[0]).toMatchObject({
    level: 'warn',
    msg: 'webhook endpoint is disabled',
    endpointId,
    reason: 'gone',
  });
});

test('log lines about messages that are given up are throttled', () => {
  const { lines, log } = listenTo();
  const logEvents = createEndpointLog(log, () => 0);
  const result = {
    apiKeyId: 'k',
    endpointId: 'e',
    workspaceId: 'w',
    messageId: 'm',
    eventType: 'document.update',
    triesBefore: 7,
    status: 'failed',
    nextAt: null,
    attempt: { at: 0, outcome: 'unreachable', latencyMs: 1 },
    wasFailing: true,
    isGone: false,
    isForbidden: false,
    url: 'https://a.test/hook?token=SECRET',
  } as const;
  logEvents(Array.from({ length: 100 }, () => ({ kind: 'exhausted', result }) as const));
  expect(lines).toHaveLength(5);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});
