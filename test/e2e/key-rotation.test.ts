import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { newTenant } from '../messages/webhook-tenant.ts';
import { atEnd } from '../run/at-end.ts';
import { until } from '../run/until.ts';
import { ownDatabase } from '../service/own-database.ts';
import { newPlace, runRedpen, startRedpen } from '../service/redpen-command.ts';
import { type Service, startService } from '../service/service.ts';

const place = newPlace();
const keyFile = join(place.folder, 'keys');
afterAll(() => place.remove());

let env: Record<string, string>;
const services: Service[] = [];
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  atEnd(() => receiver[Symbol.asyncDispose]());
  const own = await ownDatabase();
  writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  env = { ...own.env, REDPEN_MASTER_KEY_FILE: keyFile };
  for (const REDPEN_ROLES of ['api,realtime,worker', 'api,worker'])
    services.push(await startService({ ...env, REDPEN_ALLOW_HOSTS: '127.0.0.1', REDPEN_ROLES }));
});

const redpen = (...words: string[]) => runRedpen(place, words, env);

/** Runs a command that must succeed. */
async function must(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await redpen(...words);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

test('two processes write, read and deliver without a failure while every kind of key rotates', {
  timeout: 900_000,
}, async () => {
  let turn = 0;
  // Calls alternate between the processes.
  const tenant = await newTenant(() => services[turn++ % 2]!);
  const endpointId = await tenant.endpoint(receiver, '/hook');
  const earlierKey = readFileSync(keyFile, 'utf8').trim();
  let isOver = false;
  let written = 0;
  const work = async () => {
    while (!isOver) {
      const documentId = `doc-${written++}`;
      await tenant.must('/v2/organizations/documents/add', {
        organizationId: 'o',
        documents: [{ documentId, documentName: 'N' }],
      });
      // The token is signed by one process and accepted by the other.
      const { token } = await tenant.must('/v2/auth/generate_token', {
        userId: 'ada',
        userProperties: { name: 'Ada', email: 'ada@example.com' },
        permissions: { resources: [{ type: 'organization', id: 'o' }] },
      });
      const read = await services[turn++ % 2]!.post(
        '/v2/commentannotations/get',
        { organizationId: 'o', documentId },
        { authorization: `Bearer ${token}` },
      );
      expect(read).toMatchObject({ status: 200 });
      await pause(20);
    }
  };
  const working = work();
  const more = async () => {
    const before = written;
    await until(() => written > before + 3, 'further writes');
  };
  await more();

  // The command is killed as soon as it has made the key, and then run again.
  const killed = startRedpen(place, ['keys', 'rotate', '--new'], env);
  await killed.says('Waiting until every process');
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(readFileSync(keyFile, 'utf8').trim().split('\n')).toHaveLength(2);
  await more();
  expect(await must('keys', 'rotate', '--new')).toContain('has this key alone now');
  expect(readFileSync(keyFile, 'utf8').trim().split('\n')).toEqual([expect.not.stringContaining(earlierKey)]);
  await more();
  await must('keys', 'rotate-signing');
  await more();
  // The client goes on with the earlier token, and the receiver with the earlier secret.
  await must('key', 'rotate', tenant.apiKeyId);
  await more();
  await must('webhook', 'rotate-secret', tenant.apiKeyId, endpointId);
  await more();
  isOver = true;
  await working;
  await until(
    () => new Set(receiver.at('/hook').map(({ id }) => id)).size >= written,
    'the delivery of every event',
  );
  expect(receiver.faults()).toEqual([]);

  // A start with the next key alone reads everything.
  expect(await services[1]!.kill('SIGTERM')).toBe(0);
  const logs = services.map((service) => service.output());
  await services[1]!.restart();
  await must('key', 'token', tenant.apiKeyId);
  expect((await services[1]!.post('/v2/workspace/apikeyconfig/get', {}, tenant.headers)).status).toBe(200);
  // What was printed and logged contains no key.
  logs.push(services[1]!.output());
  for (const key of [earlierKey, readFileSync(keyFile, 'utf8').trim()])
    expect(logs.join('\n')).not.toContain(key);
});
