import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from './deployment.ts';

/** What a process says about itself, as a load balancer sees it. */
export interface Seen {
  /** `silent`: no connection, or no answer in time. */
  status: 'ready' | 'degraded' | 'not ready' | 'silent';
  /** Sentences of `faults` and `warnings`. */
  says: string[];
}

const EVERY_MS = 500;
// Longer than the service takes to find out that its database does not answer.
const ANSWER_WITHIN_MS = 10_000;

/** Asks every process for /ready, as a load balancer does. */
export class Readiness {
  readonly #members: Member[];
  readonly #seen = new Map<Member, Seen>();
  /** Longest time in ms to an answer. */
  slowestMs = 0;
  #isOn = true;
  #done: Promise<unknown>;

  constructor(members: Member[]) {
    this.#members = members;
    this.#done = Promise.all(members.map((member) => this.#watch(member)));
  }

  of = (member: Member): Seen => this.#seen.get(member) ?? { status: 'silent', says: [] };

  /** Processes to which requests are sent. */
  serving = (kind: Member['kind']): Member[] =>
    this.#members.filter(
      (member) => member.kind === kind && ['ready', 'degraded'].includes(this.of(member).status),
    );

  allReady = (): boolean => this.#members.every((member) => this.of(member).status === 'ready');

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#done;
  }

  async #watch(member: Member): Promise<void> {
    while (this.#isOn) {
      const began = performance.now();
      const seen = await ask(member.url);
      if (seen.status !== 'silent') this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
      this.#seen.set(member, seen);
      await sleep(EVERY_MS);
    }
  }
}

async function ask(url: string): Promise<Seen> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { status, faults, warnings } = (await response.json()) as {
      status: Seen['status'];
      faults?: string[];
      warnings?: string[];
    };
    return { status, says: [...(faults ?? []), ...(warnings ?? [])] };
  } catch {
    return { status: 'silent', says: [] };
  }
}
