import { Agent, request } from 'undici';
import type { Member } from './deployment.ts';
import type { Readiness } from './readiness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
export type Any = any;

/** Outcome of a call. Without an answer, the service may have done what was asked, or not. */
export type Outcome = { isDone: true; data: Any } | { isDone: false; why: string };

export interface Caller {
  /** Calls an operation once, at a process that is ready, as a balancer would. `result` is the whole answer. */
  call(path: string, data: object): Promise<Outcome>;
  /** Repeats a read until it is answered. */
  read(path: string, data: object): Promise<Any>;
  /** Sends bytes to a link. */
  put(url: string, bytes: Buffer, type: string): Promise<Outcome>;
  /** Failures by their description, with how many of them came while nothing was broken. */
  failures: Map<string, { during: number; outside: number }>;
  counts: { calls: number; done: number };
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 20_000;

/** `isCalm` is true while no fault lasts and none has ended a moment ago. */
export function createCaller(
  readiness: Readiness,
  headers: Record<string, string>,
  isCalm: () => boolean,
): Caller {
  const agent = new Agent({
    connections: 32,
    bodyTimeout: ANSWER_WITHIN_MS,
    headersTimeout: ANSWER_WITHIN_MS,
  });
  const failures: Caller['failures'] = new Map();
  const counts = { calls: 0, done: 0 };
  let turn = 0;

  const fail = (what: string, why: string, wasCalm: boolean): Outcome => {
    const known = failures.get(`${what}: ${why}`) ?? { during: 0, outside: 0 };
    known[wasCalm && isCalm() ? 'outside' : 'during'] += 1;
    failures.set(`${what}: ${why}`, known);
    return { isDone: false, why };
  };
  const next = (): Member | undefined => {
    const serving = readiness.serving('api');
    turn += 1;
    return serving[turn % Math.max(1, serving.length)];
  };
  const call: Caller['call'] = async (path, data) => {
    const wasCalm = isCalm();
    counts.calls += 1;
    const member = next();
    if (!member) return fail(path, 'no process is ready', wasCalm);
    try {
      const { statusCode, body } = await request(member.url + path, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ data }),
      });
      const answer = (await body.json()) as Any;
      if (statusCode !== 200) return fail(path, `${statusCode} ${answer.error?.status ?? ''}`, wasCalm);
      counts.done += 1;
      return { isDone: true, data: answer.result?.data ?? answer.result };
    } catch (error) {
      return fail(path, codeOf(error), wasCalm);
    }
  };
  return {
    call,
    failures,
    counts,
    async read(path, data) {
      let why = '';
      for (let attempt = 0; attempt < 30; attempt++) {
        const outcome = await call(path, data);
        if (outcome.isDone) return outcome.data;
        why = outcome.why;
        await new Promise((done) => setTimeout(done, 1_000));
      }
      throw new Error(`${path} cannot be read: ${why}`);
    },
    async put(url, bytes, type) {
      const wasCalm = isCalm();
      counts.calls += 1;
      try {
        const headersOfFile = { 'content-type': type };
        const { statusCode, body } = await request(url, {
          method: 'PUT',
          dispatcher: agent,
          headers: headersOfFile,
          body: bytes,
        });
        await body.dump();
        if (statusCode >= 300) return fail('upload', String(statusCode), wasCalm);
        counts.done += 1;
        return { isDone: true, data: undefined };
      } catch (error) {
        return fail('upload', codeOf(error), wasCalm);
      }
    },
    close: () => agent.close(),
  };
}

const codeOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};
