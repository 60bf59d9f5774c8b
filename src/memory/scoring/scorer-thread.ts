import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { openInThread } from '../../db/open-in-thread.ts';
import { compareKnowledge } from './compare-knowledge.ts';
import { JudgmentCaches } from './judgment-caches.ts';
import { rankInThread } from './rank-in-thread.ts';
import type { Answered, Asked, Task } from './scorer.ts';

/** So many statements may be under way at once. */
const CONNECTIONS = 4;

const { connection, cacheBytes } = workerData as { connection: pg.ClientConfig; cacheBytes: number };
const { db, close } = openInThread(connection, CONNECTIONS);
const caches = new JudgmentCaches(db, cacheBytes);
const underWay = new Map<number, AbortController>();
const port = parentPort!;

/** A connection that lay idle while the server went and came back is noticed by the first statement alone. */
const isBroken = ({ code, message }: Error & { code?: unknown }): boolean =>
  (typeof code === 'string' && /^(08|57P|ECONNRESET$|EPIPE$)/.test(code)) ||
  message.startsWith('Connection terminated');

const work = async (task: Task, signal: AbortSignal): Promise<unknown> => {
  if (task.name === 'cachedBytes') return caches.bytes;
  return task.name === 'rank'
    ? await rankInThread(db, caches, task.question, signal)
    : await compareKnowledge(db, task.question, signal);
};

/** Tries again as often as there may be broken connections. */
async function workOn(task: Task, signal: AbortSignal): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      return await work(task, signal);
    } catch (error) {
      if (tries === CONNECTIONS || !isBroken(error as Error)) throw error;
    }
  }
}

port.on('message', async (asked: Asked) => {
  if (asked === 'close') {
    port.close();
    for (const controller of underWay.values()) controller.abort();
    await close();
    return;
  }
  if ('isGivenUp' in asked) {
    underWay.get(asked.id)?.abort();
    return;
  }
  const { id, task } = asked;
  const controller = new AbortController();
  underWay.set(id, controller);
  let answered: Answered;
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
  underWay.delete(id);
  port.postMessage(answered);
});
