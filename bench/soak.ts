import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { startWebhookReceiver } from '../test/fakes/webhook-receiver.ts';
import { newKey, post } from './closed-loop.ts';
import { report } from './figures.ts';
import { startDeployment } from './soak/deployment.ts';
import { mountSmallDisk } from './soak/faults.ts';
import { isPassed, printResult } from './soak/print-result.ts';
import { Readiness } from './soak/readiness.ts';
import { runSoak, type SoakResult } from './soak/run-soak.ts';
import { startOwnPostgres, startOwnRedis } from './soak/servers.ts';
import { startSite } from './soak/site.ts';

// Runs a deployment of two machines under a mixed load, breaks one thing after the other, and ends with 1 unless
// everything that was acknowledged is there, memory stays flat, and each fault was in the log and in /ready while it
// lasted and not after. See bench/README.md.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: process.env.SOAK_MINUTES ?? '30' },
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.');
const DISK_MB = 400;

const cleanUp: (() => Promise<unknown> | unknown)[] = [];

async function stopAll(): Promise<void> {
  for (let step = cleanUp.pop(); step; step = cleanUp.pop()) {
    await Promise.resolve()
      .then(step)
      .catch((error: unknown) => console.error(error));
  }
}

async function soak(folder: string): Promise<SoakResult> {
  const files = join(folder, 'files');
  mkdirSync(files, { mode: 0o700 });
  const hasDisk = mountSmallDisk(files, DISK_MB);
  if (hasDisk) cleanUp.push(() => execFileSync('umount', ['--lazy', files]));
  const postgres = await startOwnPostgres(join(folder, 'postgres'));
  cleanUp.push(() => postgres.stop());
  const redis = await startOwnRedis(join(folder, 'redis'));
  cleanUp.push(() => redis.stop());
  const receiver = await startWebhookReceiver();
  cleanUp.push(() => receiver[Symbol.asyncDispose]());
  const site = await startSite();
  cleanUp.push(() => site.close());
  const masterKey = randomBytes(32).toString('base64');
  const deployment = await startDeployment({ folder, files, postgres, redis, masterKey });
  cleanUp.push(() => deployment.stop());
  const readiness = new Readiness(deployment.members);
  cleanUp.push(() => readiness.stop());
  while (!readiness.allReady()) await sleep(200);

  const pool = new Pool(deployment.machines[0]!.api.url, { connections: 2 });
  const tenant = await newKey(pool);
  const { headers } = tenant;
  await post(pool, '/v2/workspace/advancedwebhookconfig/update', { isEnabled: true }, headers);
  const endpoints = '/v2/workspace/advancedwebhook/endpoints';
  const { id: endpointId } = await post(pool, `${endpoints}/create`, { url: receiver.url('/hook') }, headers);
  const { secret } = await post(pool, `${endpoints}/secret/get`, { endpointId }, headers);
  receiver.expectSignature('/hook', secret);
  await pool.close();
  return await runSoak({
    minutes,
    only: values.only,
    tenant: { ...tenant, endpointId },
    receiver,
    siteUrl: site.url,
    databaseUrl: postgres.url(postgres.port),
    stage: { deployment, postgres, redis, readiness, disk: hasDisk ? files : undefined },
    version: postgres.version,
  });
}

const folder = mkdtempSync(join(tmpdir(), 'redpen-soak-'));
// PostgreSQL, which does not run as root, enters its folder below.
chmodSync(folder, 0o711);
// Otherwise the processes of the deployment would outlive an interrupted run.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().then(() => process.exit(1)));
}
console.log(`The logs of all processes are in ${folder}.`);
let isWhole = false;
try {
  const result = await soak(folder);
  console.log(printResult(result));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
  isWhole = isPassed(result);
  const broken = result.checks.filter(({ isKept }) => !isKept).length;
  report({ name: 'promises broken under faults', value: broken, unit: 'count' });
} finally {
  await stopAll();
  if (isWhole && !values.keep) rmSync(folder, { recursive: true, force: true });
}
// Sockets of clients that were cut off may still wait for their end.
process.exit(isWhole ? 0 : 1);
