import { EmbedFailure } from '../vectors/embedder.ts';
import type { ChildModel } from './child-model.ts';
import type { ModelReport } from './model-process.ts';

export interface HostSettings {
  log(message: string, data?: Record<string, unknown>): void;
  start(onReport: (report: ModelReport) => void): ChildModel;
  /** Time without a report after which a busy process is killed. */
  silenceMs: number;
  /** Time without work after which the process is ended. */
  idleMs: number;
}

/** A text that waits for its vectors. */
export interface PendingText {
  text: string;
  isQuery: boolean;
  done(vectors: Float32Array[]): void;
  failed(failure: EmbedFailure): void;
}

interface QueuedText extends PendingText {
  /** Crashes of the process while it had this text. */
  crashes: number;
}

/**
 * Limits of a task of stored texts; small, so that a crash has few suspects, and large enough that texts of similar length
 * come together.
 */
const TASK_TEXTS = 64;
const TASK_CHARACTERS = 8_000;
/** Tasks of stored texts that the process has at once, so that it always has the next one. */
const TASKS = 2;
/** A text is rejected after this number of crashes; from the second attempt on, it was alone in its task. */
const MAX_CRASHES = 3;
/** Failed starts in a row after which no start is attempted for a while. */
const MAX_FAILED_STARTS = 3;
const RESTART_PAUSE_MS = 10_000;

/**
 * Queues texts for the model's process, queries first. It starts the process when there is work, and again after a
 * crash or a rest. Texts of a task that crashed are retried one by one, so that a text that crashes the model is found out.
 */
export function createModelHost(settings: HostSettings): {
  /** Queues texts, all of them queries or none; returns a function that withdraws those that are not done. */
  add(texts: readonly PendingText[]): () => void;
  close(): Promise<void>;
} {
  const host = new ModelHost(settings);
  return { add: (texts) => host.add(texts), close: () => host.close() };
}

class ModelHost {
  readonly #settings: HostSettings;
  #queries: QueuedText[] = [];
  #others: QueuedText[] = [];
  /** Texts of the tasks that the process has, by task id. */
  readonly #running = new Map<number, QueuedText[]>();
  #child: ChildModel | undefined;
  /** Undefined until the process is ready. */
  #dimension: number | undefined;
  #failedStarts = 0;
  #restsUntil = 0;
  #isSilent = false;
  #isClosed = false;
  #nextId = 1;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Resolves when the processes that were ended for lack of work have exited. */
  #retired: Promise<unknown> = Promise.resolve();

  constructor(settings: HostSettings) {
    this.#settings = settings;
  }

  add(texts: readonly PendingText[]): () => void {
    const queued = texts.map((text) => ({ ...text, crashes: 0 }));
    const own = new Set(queued);
    if (texts[0]?.isQuery) this.#queries.push(...queued);
    else this.#others.push(...queued);
    // Deferred, so that the caller has the function that withdraws the texts before anything fails.
    queueMicrotask(() => this.#pump());
    return () => {
      this.#queries = this.#queries.filter((text) => !own.has(text));
      this.#others = this.#others.filter((text) => !own.has(text));
      for (const running of this.#running.values()) {
        for (const text of running) if (own.has(text)) text.done = text.failed = () => {};
      }
      this.#pump();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = this.#child?.ended;
    this.#pump();
    // Keeps this process alive until the child has exited.
    this.#child?.keepAlive(true);
    this.#child?.kill();
    await Promise.all([ended, this.#retired]);
  }

  /** Starts the process if there is work, and sends it the tasks that it can take. */
  #pump(): void {
    if (this.#isClosed) this.#failAll(closing());
    const isNeeded = this.#queries.length + this.#others.length + this.#running.size > 0;
    if (isNeeded && !this.#child) {
      if (performance.now() < this.#restsUntil) {
        this.#failAll(cannotStart());
        return;
      }
      this.#child = this.#startChild();
    }
    if (this.#dimension !== undefined) {
      for (let task = this.#nextTask(); task; task = this.#nextTask()) {
        const id = this.#nextId++;
        this.#running.set(id, task);
        this.#child!.run({ id, isQuery: task[0]!.isQuery, texts: task.map(({ text }) => text) });
      }
    }
    this.#child?.keepAlive(isNeeded);
    this.#watchChild();
    this.#watchIdleChild(isNeeded);
  }

  /** The texts of the next task; undefined if the process has enough to do. */
  #nextTask(): QueuedText[] | undefined {
    const suspect = this.#queries.find(isSuspect) ?? this.#others.find(isSuspect);
    const running = [...this.#running.values()];
    const hasSuspect = running.some((texts) => texts.some(isSuspect));
    if (hasSuspect || (suspect && running.length > 0)) return undefined;
    if (suspect) {
      this.#queries = this.#queries.filter((text) => text !== suspect);
      this.#others = this.#others.filter((text) => text !== suspect);
      return [suspect];
    }
    const query = this.#queries.shift();
    if (query) return [query];
    const tasks = running.filter(([text]) => !text!.isQuery).length;
    if (this.#others.length === 0 || tasks >= TASKS) return undefined;
    let characters = 0;
    const end = this.#others.findIndex(({ text }, at) => {
      characters += text.length;
      return at === TASK_TEXTS || (at > 0 && characters > TASK_CHARACTERS);
    });
    return this.#others.splice(0, end === -1 ? this.#others.length : end);
  }

  #startChild(): ChildModel {
    const began = performance.now();
    let reason: string | undefined;
    const child = this.#settings.start((report) => {
      if (child !== this.#child) return;
      if (report.state === 'failed') reason = report.reason;
      if (report.state === 'ready') {
        this.#failedStarts = 0;
        this.#dimension = report.dimension;
        this.#settings.log('local embedding model started', {
          modelPid: child.pid,
          ms: Math.round(performance.now() - began),
          memoryMb: Math.round(report.memoryBytes / 1e6),
        });
      }
      if (report.state === 'done') this.#finishTask(report);
      clearTimeout(this.#watch);
      this.#watch = undefined;
      this.#pump();
    });
    void child.ended.then(() => {
      if (child === this.#child) this.#onChildEnded(reason);
    });
    return child;
  }

  #finishTask({ id, counts, vectors }: ModelReport & { state: 'done' }): void {
    const texts = this.#running.get(id);
    this.#running.delete(id);
    const dimension = this.#dimension!;
    let at = 0;
    for (const [index, text] of (texts ?? []).entries()) {
      const end = at + counts[index]!;
      const found: Float32Array[] = [];
      for (; at < end; at++) found.push(vectors.slice(at * dimension, (at + 1) * dimension));
      text.done(found);
    }
  }

  #onChildEnded(reason: string | undefined): void {
    const hasStarted = this.#dimension !== undefined;
    const isSilent = this.#isSilent;
    const texts = [...this.#running.values()].flat();
    const wasAlone = texts.length === 1;
    this.#running.clear();
    this.#child = this.#dimension = undefined;
    // The end of an idle process is no event: the next text starts it again.
    if (!this.#isClosed && (isSilent || reason !== undefined || texts.length > 0))
      this.#settings.log('local embedding model ended', { reason, isSilent, texts: texts.length });
    if (!hasStarted && ++this.#failedStarts >= MAX_FAILED_STARTS) {
      this.#failedStarts = 0;
      this.#restsUntil = performance.now() + RESTART_PAUSE_MS;
      this.#failAll(cannotStart(reason));
    }
    const retried = texts.filter((text) => {
      text.crashes++;
      if (text.crashes < MAX_CRASHES && !(isSilent && wasAlone)) return true;
      text.failed(
        isSilent
          ? new EmbedFailure('timeout', 'The local model takes too long over a text.')
          : new EmbedFailure('rejected', 'The local model breaks down over a text.'),
      );
      return false;
    });
    this.#isSilent = false;
    this.#queries.unshift(...retried.filter(({ isQuery }) => isQuery));
    this.#others.unshift(...retried.filter(({ isQuery }) => !isQuery));
    this.#pump();
  }

  /** Kills a process that has work or is starting, and reports nothing for too long. */
  #watchChild(): void {
    const isAwaited = this.#child !== undefined && (this.#dimension === undefined || this.#running.size > 0);
    if (!isAwaited) {
      clearTimeout(this.#watch);
      this.#watch = undefined;
    } else {
      this.#watch ??= setTimeout(() => {
        this.#isSilent = true;
        this.#child?.kill();
      }, this.#settings.silenceMs).unref();
    }
  }

  /** Ends a process that has no work for a while, since it only holds the model's memory. The next text starts another. */
  #watchIdleChild(isNeeded: boolean): void {
    if (isNeeded || this.#isClosed || this.#dimension === undefined) {
      clearTimeout(this.#idle);
      this.#idle = undefined;
      return;
    }
    this.#idle ??= setTimeout(() => {
      const child = this.#child;
      if (!child) return;
      this.#child = this.#dimension = this.#idle = undefined;
      this.#retired = Promise.all([this.#retired, child.ended]);
      child.kill();
      this.#settings.log('local embedding model ended after a time without work', { modelPid: child.pid });
    }, this.#settings.idleMs).unref();
  }

  #failAll(failure: EmbedFailure): void {
    const texts = [...this.#queries, ...this.#others, ...[...this.#running.values()].flat()];
    this.#queries = [];
    this.#others = [];
    this.#running.clear();
    for (const text of texts) text.failed(failure);
  }
}

const isSuspect = ({ crashes }: QueuedText) => crashes > 0;
const closing = () => new EmbedFailure('aborted', 'The service is ending.');
const cannotStart = (reason?: string) =>
  new EmbedFailure('unavailable', 'The local model cannot be started.', {
    retryAfterMs: RESTART_PAUSE_MS,
    cause: reason,
  });
