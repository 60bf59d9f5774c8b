import { EmbedFailure } from '../vectors/embedder.ts';
import type { ChildModel } from './child-model.ts';
import type { ModelReport } from './model-process.ts';

export interface HostSettings {
  log(message: string, data?: Record<string, unknown>): void;
  start(heard: (report: ModelReport) => void): ChildModel;
  /** For so long the process may say nothing while it has something to do; then it is ended. */
  silenceMs: number;
}

/** A text that waits for its vectors. */
export interface Item {
  text: string;
  isQuery: boolean;
  done(vectors: Float32Array[]): void;
  failed(failure: EmbedFailure): void;
}

interface Work extends Item {
  /** How often the process died while it had this text. */
  deaths: number;
}

/** What one task takes of texts that are no queries: little, so that a death has few to be blamed on. */
const TASK_TEXTS = 64;
const TASK_CHARACTERS = 16_000;
/** After so many deaths, all but the first alone with it, a text is to blame. */
const MOST_DEATHS = 3;
/** Starts that fail in a row before it is left alone for a while. */
const MOST_STARTS = 3;
const REST_MS = 10_000;

/**
 * Gives the texts to the process of the model, queries first, starts it when there is something to do, and again when
 * it died. Who was with the process when it died goes alone the next time, so that one text harms no other for long.
 */
export function createModelHost(settings: HostSettings) {
  let queries: Work[] = [];
  let others: Work[] = [];
  const running = new Map<number, Work[]>();
  let child: ChildModel | undefined;
  let dimension: number | undefined;
  let failedStarts = 0;
  let restsUntil = 0;
  let isSilent = false;
  let isClosed = false;
  let nextId = 1;
  let watch: NodeJS.Timeout | undefined;

  function add(items: readonly Item[]): () => void {
    const works = items.map((item) => ({ ...item, deaths: 0 }));
    const own = new Set(works);
    if (items[0]?.isQuery) queries.push(...works);
    else others.push(...works);
    // Not before the caller has what it withdraws them with.
    queueMicrotask(pump);
    return () => {
      queries = queries.filter((work) => !own.has(work));
      others = others.filter((work) => !own.has(work));
      for (const works of running.values()) {
        for (const work of works) if (own.has(work)) work.done = work.failed = () => {};
      }
      pump();
    };
  }

  /** Does whatever can be done now. */
  function pump(): void {
    if (isClosed) failAll(ending());
    const isNeeded = queries.length + others.length + running.size > 0;
    if (isNeeded && !child) {
      if (performance.now() < restsUntil) {
        failAll(noStart());
        return;
      }
      child = startChild();
    }
    if (dimension !== undefined) {
      for (let works = nextTask(); works; works = nextTask()) {
        const id = nextId++;
        running.set(id, works);
        child!.run({ id, isQuery: works[0]!.isQuery, texts: works.map((work) => work.text) });
      }
    }
    child?.hold(isNeeded);
    watchChild();
  }

  /** What the process is to be given beside what it has. */
  function nextTask(): Work[] | undefined {
    const suspect = queries.find(isSuspect) ?? others.find(isSuspect);
    const alone = [...running.values()].some((works) => works.some(isSuspect));
    if (alone || (suspect && running.size > 0)) return undefined;
    if (suspect) {
      queries = queries.filter((work) => work !== suspect);
      others = others.filter((work) => work !== suspect);
      return [suspect];
    }
    const query = queries.shift();
    if (query) return [query];
    if (others.length === 0 || [...running.values()].some(([work]) => !work!.isQuery)) return undefined;
    let characters = 0;
    const end = others.findIndex((work, at) => {
      characters += work.text.length;
      return at === TASK_TEXTS || (at > 0 && characters > TASK_CHARACTERS);
    });
    return others.splice(0, end === -1 ? others.length : end);
  }

  function startChild(): ChildModel {
    const began = performance.now();
    let reason: string | undefined;
    const starting = settings.start((report) => {
      if (starting !== child) return;
      if (report.state === 'failed') reason = report.reason;
      if (report.state === 'ready') {
        failedStarts = 0;
        dimension = report.dimension;
        settings.log('local embedding model started', {
          modelPid: starting.pid,
          ms: Math.round(performance.now() - began),
          memoryMb: Math.round(report.memoryBytes / 1e6),
        });
      }
      if (report.state === 'done') take(report);
      clearTimeout(watch);
      watch = undefined;
      pump();
    });
    void starting.ended.then(() => {
      if (starting === child) buryChild(reason);
    });
    return starting;
  }

  function take({ id, counts, vectors }: ModelReport & { state: 'done' }): void {
    const works = running.get(id);
    running.delete(id);
    let at = 0;
    for (const [place, work] of (works ?? []).entries()) {
      const end = at + counts[place]!;
      const found: Float32Array[] = [];
      for (; at < end; at++) found.push(vectors.slice(at * dimension!, (at + 1) * dimension!));
      work.done(found);
    }
  }

  function buryChild(reason: string | undefined): void {
    const hasStarted = dimension !== undefined;
    const works = [...running.values()].flat();
    const wasAlone = works.length === 1;
    running.clear();
    child = dimension = undefined;
    // One that is ended when it has been idle is started again with the next text.
    if (!isClosed && (isSilent || reason !== undefined || works.length > 0))
      settings.log('local embedding model ended', { reason, isSilent, texts: works.length });
    if (!hasStarted && ++failedStarts >= MOST_STARTS) {
      failedStarts = 0;
      restsUntil = performance.now() + REST_MS;
      failAll(noStart(reason));
    }
    const again = works.filter((work) => {
      work.deaths++;
      if (work.deaths < MOST_DEATHS && !(isSilent && wasAlone)) return true;
      work.failed(
        isSilent
          ? new EmbedFailure('timeout', 'The local model takes too long over a text.')
          : new EmbedFailure('rejected', 'The local model breaks down over a text.'),
      );
      return false;
    });
    isSilent = false;
    queries.unshift(...again.filter((work) => work.isQuery));
    others.unshift(...again.filter((work) => !work.isQuery));
    pump();
  }

  /** Ends a process that should say something and does not. */
  function watchChild(): void {
    const isAwaited = child !== undefined && (dimension === undefined || running.size > 0);
    if (!isAwaited) {
      clearTimeout(watch);
      watch = undefined;
    } else {
      watch ??= setTimeout(() => {
        isSilent = true;
        child?.kill();
      }, settings.silenceMs).unref();
    }
  }

  function failAll(failure: EmbedFailure): void {
    const works = [...queries, ...others, ...[...running.values()].flat()];
    queries = [];
    others = [];
    running.clear();
    for (const work of works) work.failed(failure);
  }

  return {
    /** Takes texts in, all of them queries or none; what it answers withdraws those that are not done. */
    add,
    async close(): Promise<void> {
      isClosed = true;
      const ended = child?.ended;
      pump();
      // Its end is waited for, though nothing else is left to be done.
      child?.hold(true);
      child?.kill();
      await ended;
    },
  };
}

const isSuspect = (work: Work) => work.deaths > 0;
const ending = () => new EmbedFailure('aborted', 'The service is ending.');
const noStart = (reason?: string) =>
  new EmbedFailure('unavailable', 'The local model cannot be started.', {
    retryAfterMs: REST_MS,
    cause: reason,
  });
