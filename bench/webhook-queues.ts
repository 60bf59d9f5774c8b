import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Pool } from 'undici';
import { signedHeaders } from '../src/webhooks/deliver/sign-webhook.ts';

// The references of webhooks.ts, each in a separate process: `prepare` enqueues jobs, `drain` processes them, and
// every job is the same signed POST over the same kind of connection pool.
const WIDTH = 32;
const { CONTENDER, RECEIVER_URL, SECRET, DATABASE_URL, REDIS_PORT } = process.env;
const pool = new Pool(RECEIVER_URL!, { connections: WIDTH });

interface Job {
  messageId: string;
  body: string;
}

async function post({ messageId, body }: Job): Promise<void> {
  const { statusCode, body: response } = await pool.request({
    method: 'POST',
    path: '/hook-0',
    headers: {
      'content-type': 'application/json',
      ...signedHeaders({ messageId, at: Date.now(), body, secrets: [SECRET!] }),
    },
    body,
  });
  await response.dump();
  if (statusCode !== 200) throw new Error(`The receiver answered ${statusCode}.`);
}

interface Contender {
  prepare(jobs: Job[]): Promise<void>;
  drain(): Promise<void>;
}

async function graphileWorker(options: object): Promise<Contender> {
  const { makeWorkerUtils, run, Logger, WorkerPreset } = await import(['graphile-worker'].join());
  const { default: pg } = await import('pg');
  const preset = {
    extends: [WorkerPreset],
    worker: {
      connectionString: DATABASE_URL,
      concurrentJobs: WIDTH,
      maxPoolSize: WIDTH + 2,
      ...options,
      logger: new Logger(() => () => {}),
    },
  };
  const utils = await makeWorkerUtils({ preset });
  await utils.migrate();
  const database = new pg.Pool({ connectionString: DATABASE_URL });
  let total = 0;
  return {
    async prepare(jobs) {
      total = jobs.length;
      for (let from = 0; from < jobs.length; from += 1_000) {
        await utils.addJobs(
          jobs.slice(from, from + 1_000).map((payload) => ({ identifier: 'post', payload })),
        );
      }
      await database.query('analyze');
    },
    async drain() {
      let done = 0;
      const finished = Promise.withResolvers<void>();
      const runner = await run({
        preset,
        noHandleSignals: true,
        taskList: { post: (payload: unknown) => post(payload as Job) },
      });
      runner.events.on('job:complete', () => {
        if (++done === total) finished.resolve();
      });
      await finished.promise;
      // The last completions may not be in the database yet.
      for (let isLeft = true; isLeft; ) {
        const { rows } = await database.query('select 1 from graphile_worker.jobs limit 1');
        isLeft = rows.length > 0;
        if (isLeft) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await runner.stop();
    },
  };
}

const contenders: Record<string, () => Promise<Contender>> = {
  async bare() {
    let pending: Job[] = [];
    return {
      async prepare(jobs) {
        pending = jobs;
      },
      async drain() {
        const loop = async () => {
          for (let job = pending.pop(); job; job = pending.pop()) await post(job);
        };
        await Promise.all(Array.from({ length: WIDTH }, loop));
      },
    };
  },

  /** Uses the settings that its documentation advises for high throughput. */
  'graphile-worker': () =>
    graphileWorker({ localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }),
  'graphile-worker, defaults': () => graphileWorker({}),

  async bullmq() {
    const { Queue, Worker } = await import(['bullmq'].join());
    const { Redis } = await import(['ioredis'].join());
    const connection = new Redis({ host: '127.0.0.1', port: Number(REDIS_PORT), maxRetriesPerRequest: null });
    const queue = new Queue('post', { connection });
    let total = 0;
    return {
      async prepare(jobs) {
        total = jobs.length;
        for (let from = 0; from < jobs.length; from += 1_000) {
          await queue.addBulk(
            jobs.slice(from, from + 1_000).map((data) => ({
              name: 'post',
              data,
              opts: { removeOnComplete: true },
            })),
          );
        }
      },
      async drain() {
        let done = 0;
        const finished = Promise.withResolvers<void>();
        const worker = new Worker('post', (job: { data: Job }) => post(job.data), {
          connection,
          concurrency: WIDTH,
        });
        worker.on('completed', () => {
          if (++done === total) finished.resolve();
        });
        await finished.promise;
        await worker.close();
      },
    };
  },
};

const contender = await contenders[CONTENDER!]!();
const server = createServer(async (request, response) => {
  try {
    if (request.url === '/prepare') {
      const { count, body } = (await json(request)) as { count: number; body: string };
      await contender.prepare(
        Array.from({ length: count }, () => ({ messageId: `evt_${randomUUID()}`, body })),
      );
    } else await contender.drain();
    response.end('{}');
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
