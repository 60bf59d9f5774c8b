import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { countOf } from '../../test/house/metric-counts.ts';
import { until } from '../../test/run/until.ts';
import { openDatabase } from '../db/connections/connect.ts';
import { randomId } from '../lib/ids.ts';
import { createStorageFaults } from '../lib/storage-faults.ts';
import { JOBS } from '../roles/jobs/index.ts';
import type { JobName } from './job.ts';
import type { JobHandlers } from './job-loops.ts';
import { createQueueMetrics, jobsFailed } from './job-metrics.ts';
import { startJobQueue } from './queue.ts';
import { countAhead, deleteStartedJobs, hasWaitingJob } from './waiting.ts';

const report = (error: Error): unknown => process.stderr.write(`${error.stack}\n`);

/** Opens a queue with a separate database. */
async function open({
  maxWaiting = 1_000,
  pollSeconds = 2,
  storage = createStorageFaults(),
  onFailed = (_failure: object) => {},
  onError = report,
} = {}) {
  const { url } = await newDatabase();
  const database = await openDatabase({ databaseUrl: url, onError: report });
  const queue = await startJobQueue(database, JOBS, onError, {
    maxWaiting,
    pollSeconds,
    onFailed,
    storage: { ...storage, faults: storage.list },
  });
  onTestFinished(async () => {
    await queue.stop(0);
    await database.close();
  });
  const { db } = database;
  const run = (apiKeyId: string, executionId: string, options = {}) =>
    db
      .transaction()
      .execute((tx) => queue.enqueue(tx, 'agent.run', { workspaceId: 'w', apiKeyId, executionId }, options));
  /** The waiting jobs in the order in which they will start. */
  const order = async () => {
    const { rows } = await sql<{ key: string }>`select singleton_key as key from jobs.job
      where name = 'agent.run' and state < 'active' order by priority desc, created_on`.execute(db);
    return rows.map(({ key }) => key);
  };
  return { db, queue, run, order };
}

test('API keys take turns, and the jobs of each keep their order', async () => {
  const { run, order } = await open();
  for (const number of [1, 2, 3, 4]) await run('a', `a${number}`);
  for (const number of [1, 2]) await run('b', `b${number}`);
  await run('c', 'c1');
  await run('a', 'a5');
  expect(await order()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']);
});

test('what fails while jobs are taken is reported as an error with its code, so that its cause can be logged', async () => {
  const errors: unknown[] = [];
  const { db, queue, run } = await open({ pollSeconds: 0.5, onError: (error) => errors.push(error) });
  const [begun, away] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const handle = async () => {
    begun.resolve();
    await away.promise;
  };
  await run('a', 'a1');
  await queue.work(Object.fromEntries(JOBS.map(({ name }) => [name, handle])) as unknown as JobHandlers);
  await begun.promise;
  await sql`alter schema jobs rename to away`.execute(db);
  away.resolve();
  const ofWorker = () => errors.find((error) => (error as { worker?: string }).worker !== undefined);
  await until(ofWorker, 'an error of a worker');
  await sql`alter schema away rename to jobs`.execute(db);
  expect(ofWorker()).toBeInstanceOf(Error);
  expect(ofWorker()).toMatchObject({ message: expect.stringContaining('jobs.'), code: '42P01' });
});

test('a late key does not wait for all earlier jobs of other keys', async () => {
  const { db, run, order } = await open();
  for (let number = 1; number <= 30; number++) await run('a', `a${number}`);
  // Half of the jobs have ended.
  await sql`delete from jobs.job where singleton_key = any(${(await order()).slice(0, 15)})`.execute(db);
  await run('b', 'b1');
  expect((await order()).slice(0, 3)).toEqual(['a16', 'b1', 'a17']);
});

test('a returned job goes first, a continued job takes its turn, and neither is refused', async () => {
  const { run, order } = await open({ maxWaiting: 2 });
  await run('a', 'a1');
  await run('a', 'a2');
  await run('a', 'lost', { isReturned: true });
  await run('a', 'part', { isContinued: true });
  expect(await order()).toEqual(['lost', 'a1', 'a2', 'part']);
});

test('the number of waiting jobs is limited per key', async () => {
  const { run } = await open({ maxWaiting: 2 });
  await run('a', 'a1');
  await run('a', 'a2');
  await expect(run('a', 'a3')).rejects.toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many executions wait already: an API key may have 2 that are not begun.',
    retryAfterSeconds: 60,
  });
  await run('b', 'b1');
});

test('a job counts as waiting until it starts', async () => {
  const { db, queue, run } = await open();
  await run('a', 'a1');
  await run('b', 'b1');
  const isWaiting = async (subject: string) => {
    const { rows } = await sql<{
      waits: boolean;
    }>`select ${hasWaitingJob('agent.run', sql.lit(subject))} as waits`.execute(db);
    return rows[0]!.waits;
  };
  expect([await isWaiting('a1'), await isWaiting('none')]).toEqual([true, false]);
  expect([await countAhead(db, 'agent.run', 'a1'), await countAhead(db, 'agent.run', 'b1')]).toEqual([0, 1]);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begun: string[] = [];
  await queue.work(
    new Proxy({} as JobHandlers, {
      get: (_, name) => async (payload: { executionId: string }) => {
        if (name !== 'agent.run') return;
        begun.push(payload.executionId);
        await ended;
      },
    }),
  );
  await until(() => begun.length === 2, 'both to be begun');
  expect([await isWaiting('a1'), await countAhead(db, 'agent.run', 'a1')]).toEqual([false, undefined]);
  await db.transaction().execute((tx) => deleteStartedJobs(tx, 'agent.run', 'a1'));
  const { rows } = await sql`select 1 from jobs.job where singleton_key = 'a1'`.execute(db);
  expect(rows).toEqual([]);
  end();
});

test('metrics report waiting jobs, the age of the oldest, and running jobs', async () => {
  const { db, run } = await open();
  await run('a', 'a1');
  await run('a', 'a2', { runAt: new Date(Date.now() + 3_600_000) });
  const read = async () =>
    Object.fromEntries(
      await Promise.all(
        createQueueMetrics(db, ['agent.run']).map(async (metric) => {
          const { name, values } = await metric.get();
          return [name, values.find(({ labels }) => labels.queue === 'agent.run')?.value];
        }),
      ),
    );
  expect(await read()).toMatchObject({ redpen_jobs_waiting: 1, redpen_jobs_running: 0 });
  await sql`update jobs.job set start_after = now() - interval '90 s', created_on = now() - interval '90 s'
    where singleton_key = 'a1'`.execute(db);
  expect((await read()).redpen_jobs_oldest_waiting_seconds).toBeGreaterThanOrEqual(90);
});

test('a queue whose jobs wait too long is a warning', async () => {
  const { db, queue, run } = await open();
  await run('a', 'a1');
  expect(await queue.health(db)).toEqual({ faults: [], warnings: [] });
  await sql`update jobs.job set start_after = now() - interval '90 s', created_on = now() - interval '90 s'
    where singleton_key = 'a1'`.execute(db);
  const { faults, warnings } = await queue.health(db);
  expect([faults, warnings.length]).toEqual([[], 1]);
  expect(warnings[0]).toMatch(/^The job queue agent\.run is behind: its oldest job has waited for \d+ s\.$/);
});

test('a job is reported and counted as failed after its last attempt, and not before', async () => {
  const failures: object[] = [];
  const { db, queue } = await open({ pollSeconds: 1, onFailed: (failure) => failures.push(failure) });
  const ref = { workspaceId: 'w', apiKeyId: 'a', executionId: 'e' };
  const mail = { workspaceId: 'w', apiKeyId: 'a', organizationId: 'o', notificationId: 'n' };
  await db.transaction().execute((tx) => queue.enqueue(tx, 'agent.run', ref));
  await db.transaction().execute((tx) => queue.enqueue(tx, 'notification.email', mail));
  const before = await countOf(jobsFailed, { queue: 'agent.run' });
  const mailsBefore = await countOf(jobsFailed, { queue: 'notification.email' });
  let attempts = 0;
  await queue.work(
    new Proxy({} as JobHandlers, {
      get: (_, name: JobName) => async () => {
        if (name !== 'agent.run' && name !== 'notification.email') return;
        attempts += 1;
        throw new Error('It breaks.');
      },
    }),
  );
  await until(() => attempts >= 2 && failures.length > 0, 'both to be tried');
  expect(failures).toEqual([
    { queue: 'agent.run', jobId: expect.any(String), tries: 1, error: new Error('It breaks.') },
  ]);
  expect(await countOf(jobsFailed, { queue: 'agent.run' })).toBe(before + 1);
  expect(await countOf(jobsFailed, { queue: 'notification.email' })).toBe(mailsBefore);
});

test('jobs follow each other without waiting for the next poll', async () => {
  const { queue, run } = await open({ pollSeconds: 3_600 });
  for (let number = 0; number < 40; number++) await run(`k${number % 3}`, randomId(8));
  let begun = 0;
  await queue.work(
    new Proxy({} as JobHandlers, {
      get: (_, name: JobName) => async () => {
        if (name === 'agent.run') begun += 1;
      },
    }),
  );
  await until(() => begun === 40, 'all jobs to be begun');
});

test('jobs that store data wait while nothing can be stored, and deletions do not', async () => {
  const storage = createStorageFaults();
  storage.set('data', 'The disk is full.');
  const { db, queue, run } = await open({ storage, pollSeconds: 1 });
  const begun: string[] = [];
  await queue.work(
    new Proxy({} as JobHandlers, {
      get: (_, name) => async (payload: { executionId?: string; jobId?: string }) => {
        const subject = payload.executionId ?? payload.jobId;
        if (subject !== undefined) begun.push(`${String(name)} ${subject}`);
      },
    }),
  );
  const erase = (jobId: string) =>
    db
      .transaction()
      .execute((tx) => queue.enqueue(tx, 'user.data_delete', { workspaceId: 'w', apiKeyId: 'a', jobId }));
  await run('a', 'first');
  await erase('one');
  await until(() => begun.length > 0, 'the deletion');
  expect(begun).toEqual(['user.data_delete one']);
  storage.set('data', undefined);
  await until(() => begun.includes('agent.run first'), 'the run');
  storage.set('data', 'The disk is full.');
  await until(() => queue.isPaused(), 'the pause');
  await run('a', 'second');
  await erase('two');
  await until(() => begun.includes('user.data_delete two'), 'the second deletion');
  expect(begun).not.toContain('agent.run second');
  expect((await queue.health(db)).faults).toEqual([]);
  storage.set('data', undefined);
  await until(() => begun.includes('agent.run second'), 'the second run');
});

test('pauses do not raise the number of concurrent jobs', async () => {
  const storage = createStorageFaults();
  const { db, queue, run } = await open({ storage, pollSeconds: 1 });
  const ends: (() => void)[] = [];
  const erased: string[] = [];
  let maxRunning = 0;
  let running = 0;
  await queue.work(
    new Proxy({} as JobHandlers, {
      get: (_, name) => async (payload: { jobId: string }) => {
        if (name === 'user.data_delete') erased.push(payload.jobId);
        if (name !== 'agent.run') return;
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await new Promise<void>((end) => ends.push(end));
        running -= 1;
      },
    }),
  );
  const erase = async (jobId: string) => {
    await db
      .transaction()
      .execute((tx) => queue.enqueue(tx, 'user.data_delete', { workspaceId: 'w', apiKeyId: 'a', jobId }));
    await until(() => erased.includes(jobId), `the deletion ${jobId}`);
  };
  for (let number = 1; number <= 12; number++) await run('a', `a${number}`);
  await until(() => ends.length === 4, 'as many as may be at work');
  for (const time of [1, 2, 3]) {
    storage.set('data', 'The disk is full.');
    await erase(`paused ${time}`);
    storage.set('data', undefined);
    // Polling loops that the end of the pause starts have polled once this job has run.
    await erase(`resumed ${time}`);
  }
  expect(maxRunning).toBe(4);
  for (const end of ends.splice(0)) end();
  await until(() => ends.length === 4, 'as many again');
  for (const end of ends.splice(0)) end();
  await until(() => ends.length === 4, 'the last ones');
  for (const end of ends) end();
  expect(maxRunning).toBe(4);
});
