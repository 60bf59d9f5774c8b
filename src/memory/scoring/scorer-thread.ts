import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { openInThread } from '../../db/connections/open-in-thread.ts';
import { compareJudgments } from './compare-judgments.ts';
import { compareKnowledge } from './compare-knowledge.ts';
import { JudgmentCaches } from './judgment-caches.ts';
import { pack, packPlace } from './packed-ranking.ts';
import { rankInThread } from './rank-in-thread.ts';
import { rankPlaces } from './rank-places.ts';
import type { Task, ThreadReply, ThreadRequest } from './scorer.ts';

/* Worker thread of `scorer.ts`: ranks judgments and compares knowledge, with caches and connections of its own. */

/** Size of the connection pool. */
const CONNECTIONS = 4;

const { connection, cacheBytes } = workerData as { connection: pg.ClientConfig; cacheBytes: number };
const { db, close } = openInThread(connection, CONNECTIONS);
const caches = new JudgmentCaches(db, cacheBytes);
const running = new Map<number, AbortController>();
const port = parentPort!;

/** A connection that a server restart broke while it was idle fails on its next statement. */
const isBroken = ({ code, message }: Error & { code?: unknown }): boolean =>
  (typeof code === 'string' && /^(08|57P|ECONNRESET$|EPIPE$)/.test(code)) ||
  message.startsWith('Connection terminated');

const work = async (task: Task, signal: AbortSignal): Promise<unknown> => {
  if (task.name === 'cachedBytes') return caches.bytes;
  if (task.name === 'rank') return pack(await rankInThread(db, caches, task.question, signal));
  if (task.name === 'rankPlaces') return (await rankPlaces(caches, task.question, signal))?.map(packPlace);
  return task.name === 'compareJudgments'
    ? await compareJudgments(db, caches, task.question)
    : await compareKnowledge(db, task.question, signal);
};

/** Retries once per connection that may be broken. */
async function workOn(task: Task, signal: AbortSignal): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      return await work(task, signal);
    } catch (error) {
      if (tries === CONNECTIONS || !isBroken(error as Error)) throw error;
    }
  }
}

port.on('message', async (request: ThreadRequest) => {
  if (request === 'close') {
    port.close();
    for (const controller of running.values()) controller.abort();
    await close();
    return;
  }
  if ('isCancelled' in request) {
    running.get(request.id)?.abort();
    return;
  }
  const { id, task } = request;
  const controller = new AbortController();
  running.set(id, controller);
  let answered: ThreadReply;
  try {
    answered = { id, answer: await workOn(task, controller.signal) };
  } catch (error) {
    const { name, message, code, syscall } = error as NodeJS.ErrnoException;
    answered = {
      id,
      error: {
        name,
        message,
        ...(typeof code === 'string' && { code }),
        ...(typeof syscall === 'string' && { syscall }),
      },
    };
  }
  running.delete(id);
  port.postMessage(answered);
});
