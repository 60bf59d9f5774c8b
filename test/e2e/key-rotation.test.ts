import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { until } from '../until.ts';
import { ownDatabase } from './own-database.ts';
import { newPlace, runRedpen, startRedpen } from './redpen-command.ts';
import { type Service, startService } from './service.ts';
import { newTenant } from './webhook-tenant.ts';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

const folder = mkdtempSync(join(tmpdir(), 'redpen-rotation-'));
cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
const keyFile = join(folder, 'keys');
const place = newPlace();
cleanUp.push(() => place.remove());

let env: Record<string, string>;
const services: Service[] = [];
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  cleanUp.push(() => receiver[Symbol.asyncDispose]());
  const own = await ownDatabase(cleanUp);
  writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  env = { ...own.env, REDPEN_MASTER_KEY_FILE: keyFile };
  for (const roles of ['api,realtime,worker', 'api,worker']) {
    const service = await startService({ ...env, REDPEN_ALLOW_HOSTS: '127.0.0.1', REDPEN_ROLES: roles });
    cleanUp.push(() => service.kill('SIGKILL'));
    services.push(service);
  }
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
  services[1] = await startService({ ...env, REDPEN_ALLOW_HOSTS: '127.0.0.1', REDPEN_ROLES: 'api,worker' });
  const restarted = services[1];
  cleanUp.push(() => restarted.kill('SIGKILL'));
  await must('key', 'token', tenant.apiKeyId);
  expect((await services[1].post('/v2/workspace/apikeyconfig/get', {}, tenant.headers)).status).toBe(200);
  // What was printed and logged contains no key.
  const logs = services.map((service) => service.output()).join('\n');
  for (const key of [earlierKey, readFileSync(keyFile, 'utf8').trim()]) expect(logs).not.toContain(key);
});
