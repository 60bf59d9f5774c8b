import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { newDatabase } from '../database/new-database.ts';
import { fakeModels } from '../fakes/models/fake-models.ts';
import { fakeSite } from '../fakes/site.ts';
import { atEnd } from '../run/at-end.ts';
import { allowLog } from '../run/log-watch.ts';
import { expireLeases } from '../service/expire-leases.ts';
import { ownTenant, type Tenant } from '../service/own-tenant.ts';
import { startService } from '../service/service.ts';

const RUNS = 12;
const RUNS_OF_OTHER = 3;
const place = { organizationId: 'o', documentId: 'd' };
const finding = {
  title: 'Dull',
  description: 'The page is dull.',
  severity: 'low',
  issueType: 'style',
  targetText: '',
  occurrence: 1,
  suggestion: 'Add a joke.',
  htmlSelector: '',
  isPageLevel: true,
  findingType: 'page',
  confidence: 90,
};

async function newReviewer(tenant: Tenant): Promise<(url: string) => Promise<string>> {
  await tenant.must('/v1/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'd' }],
  });
  const { agentId } = await tenant.must('/v2/agents/create', {
    name: 'Critic',
    instructions: 'Find what is dull.',
    contextGathering: { strategies: ['robots-txt'] },
  });
  return async (url) =>
    (await tenant.must('/v2/agents/execution/run', { agentId, url, ...place })).executionId;
}

test('each run of two API keys ends exactly once when one of two processes is killed', {
  timeout: 900_000,
}, async () => {
  allowLog(/run resumed after its process was lost/);
  const site = await fakeSite({ '/': 'words' });
  atEnd(() => site.close());
  let onHang = () => {};
  const hangs = new Promise<void>((resolve) => {
    onHang = resolve;
  });
  // The model of the process that is killed; it stops answering after two answers.
  let answered = 0;
  const first = await fakeModels(() => {
    answered += 1;
    if (answered <= 2) return { json: { summary: '', findings: [finding] } };
    onHang();
    return { hang: 'headers' };
  });
  const second = await fakeModels(() => ({ json: { summary: '', findings: [finding] } }));
  atEnd(() => Promise.all([first.close(), second.close()]));
  const { url: databaseUrl, drop } = await newDatabase();
  atEnd(drop);
  const masterKey = randomBytes(32).toString('base64');
  const start = (modelUrl: string) =>
    startService({
      DATABASE_URL: databaseUrl,
      REDPEN_MASTER_KEY: masterKey,
      REDPEN_ROLES: 'api,worker',
      REDPEN_ALLOW_HOSTS: '127.0.0.1',
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'key-of-the-test',
    });
  // At first this process is alone, so that it certainly holds some of the jobs.
  const doomed = await start(first.url('claude'));
  const [busy, other] = [await ownTenant(() => doomed), await ownTenant(() => doomed)];
  const [runBusy, runOther] = [await newReviewer(busy), await newReviewer(other)];
  const ofBusy = await Promise.all(
    Array.from({ length: RUNS }, (_, page) => runBusy(`${site.url}/?${page}`)),
  );
  const ofOther = await Promise.all(
    Array.from({ length: RUNS_OF_OTHER }, (_, page) => runOther(`${site.url}/?other-${page}`)),
  );
  const survivor = await start(second.url('claude'));
  await hangs;
  await doomed.kill('SIGKILL');
  await expireLeases(databaseUrl, doomed);

  const outcomes = async (tenant: Tenant, ids: string[]) => {
    for (const executionId of ids) {
      const { status, body } = await survivor.post(
        '/v2/agents/execution/get',
        { executionId },
        tenant.headers,
      );
      expect(status).toBe(200);
      const { execution } = (body as { result: { data: { execution: { status: string } } } }).result.data;
      if (execution.status === 'running') return 'still running';
    }
    return 'all ended';
  };
  await expect.poll(() => outcomes(busy, ofBusy), { timeout: 900_000, interval: 1_000 }).toBe('all ended');
  await expect.poll(() => outcomes(other, ofOther), { timeout: 900_000, interval: 1_000 }).toBe('all ended');

  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  atEnd(() => database.end());
  const rows = async (statement: string) => (await database.query(statement)).rows;
  const ended = await rows('select execution_id as id, status from executions');
  expect(ended.map(({ id }) => id).sort()).toEqual([...ofBusy, ...ofOther].sort());
  // A finding makes a review `failed`; `error` would be another status.
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['failed']));
  const annotations = await rows(
    'select execution_id as id, count(*)::int as count from annotations group by 1',
  );
  expect(annotations.map(({ id }) => id).sort()).toEqual([...ofBusy, ...ofOther].sort());
  expect(new Set(annotations.map(({ count }) => count))).toEqual(new Set([1]));
  await expect
    .poll(() => rows("select singleton_key from jobs.job where state < 'completed' and name = 'agent.run'"), {
      timeout: 300_000,
    })
    .toEqual([]);
});
