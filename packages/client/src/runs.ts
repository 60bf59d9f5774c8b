import { type Connection, resultOf, unanswered } from './connection.ts';
import { isRepeatable } from './errors.ts';
import type { Operations } from './operations.ts';
import type { Pager } from './paging.ts';
import { sleep } from './waiting.ts';

type ReviewData = Operations['/v2/reviews/run']['data'];
type ReviewRecord = Operations['/v2/reviews/get']['result']['review'];
type Execution = Operations['/v2/agents/execution/get']['result']['execution'];
type PageResult = Operations['/v2/agents/execution/get']['item'];
type LogEvent = Operations['/v2/agents/execution/events']['item'];
type Pages = Pager<Operations['/v2/agents/execution/get']['data'], PageResult>;
type Events = Operations['/v2/agents/execution/events']['result'];

/** What to review, and with which agents: `agents`, `preset` and `groupId` may be combined. */
export type ReviewRequest = Omit<ReviewData, 'agents' | 'urls'> & {
  /** Ids of agents. */
  agents?: readonly string[] | undefined;
  urls: readonly string[];
};

export type ReviewEvent = LogEvent & { executionId: string };
export type ReviewFinding = NonNullable<PageResult['findings']>[number] & {
  executionId: string;
  agentId: string;
};

export interface ReviewResult {
  /** The gravest outcome of the runs. It is `error` only if all of them ended so. */
  status: Exclude<Execution['status'], 'running'>;
  /** The review with its verdict; undefined if `resume` was given the ids of runs. */
  review: ReviewRecord | undefined;
  /** The findings of each run. Those of a report are merged over the agents. */
  findings: ReviewFinding[];
  runs: { execution: Execution; pages: PageResult[] }[];
}

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** How long the service may be away before waiting ends with an error; 5 minutes by default. */
  maxOutageMs?: number | undefined;
}

export interface Review {
  /** With `reviews.resume`, another process can wait for it. Undefined if `resume` was given the ids of runs. */
  reviewId: string | undefined;
  /** One for each URL and agent. */
  executionIds: readonly string[];
  /** The log of all runs while they run, each line once. Ends when they have ended. */
  events(options?: WaitOptions): AsyncGenerator<ReviewEvent, void>;
  /** Waits until the runs have ended. */
  result(options?: WaitOptions): Promise<ReviewResult>;
  cancel(reason?: string): Promise<void>;
}

export interface Reviews {
  /** Starts a review: a run of each agent on each URL. */
  run(request: ReviewRequest, options?: { signal?: AbortSignal | undefined }): Promise<Review>;
  /** Waits for a review, or for runs, that were started earlier. */
  resume(review: string | readonly string[]): Promise<Review>;
}

const WAIT_MS = 20_000;
const TIMEOUT_MS = 60_000;
const OUTAGE_MS = 300_000;
const PAUSE_MS = 1_000;

/** `pages` is the list of the pages of a run. */
export function reviewsOf(connection: Connection, pages: Pages): Reviews {
  const { send } = connection;

  /** Cancels, unless it has ended already. */
  const cancel = async (path: string, data: object, reason?: string): Promise<void> => {
    try {
      await send(path, { ...data, ...(reason && { reason }) });
    } catch (thrown) {
      if (unanswered(thrown).status !== 'FAILED_PRECONDITION') throw thrown;
    }
  };

  const reviewOf = (executionIds: readonly string[], reviewId?: string): Review => ({
    reviewId,
    executionIds,
    events: (options) =>
      merge(executionIds.map((executionId) => follow(connection, executionId, options ?? {}))),
    async result(options = {}) {
      for (const executionId of executionIds) {
        for await (const _ of follow(connection, executionId, options));
      }
      const read = await readResult(connection, pages, executionIds, options);
      const review = reviewId && (await patiently(() => readReview(reviewId, options.signal), options));
      return { ...read, review: review || undefined };
    },
    async cancel(reason) {
      if (reviewId) return await cancel('/v2/reviews/cancel', { reviewId }, reason);
      for (const executionId of executionIds)
        await cancel('/v2/agents/execution/cancel', { executionId }, reason);
    },
  });

  const readReview = async (reviewId: string, signal?: AbortSignal): Promise<ReviewRecord> =>
    (await send('/v2/reviews/get', { reviewId }, { signal })).result.data.review;

  return {
    async resume(review) {
      if (typeof review !== 'string') return reviewOf(review);
      const { executions } = await readReview(review);
      return reviewOf(
        executions.map(({ executionId }) => executionId),
        review,
      );
    },
    async run(request, options = {}) {
      const { executionIds, reviewId } = (await send('/v2/reviews/run', request, options)).result.data;
      return reviewOf(executionIds, reviewId);
    },
  };
}

/** Repeats a read while the service is away. */
async function patiently<T>(
  work: () => Promise<T>,
  { signal, maxOutageMs = OUTAGE_MS }: WaitOptions,
): Promise<T> {
  for (const began = Date.now(); ; ) {
    try {
      return await work();
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = unanswered(thrown);
      const isAway = isRepeatable(error) || error.httpStatus === undefined;
      if (!isAway || Date.now() - began > maxOutageMs) throw error;
      await sleep(PAUSE_MS, signal);
    }
  }
}

/** The log of one run until its end. */
async function* follow(
  { send }: Connection,
  executionId: string,
  options: WaitOptions,
): AsyncGenerator<ReviewEvent, void> {
  const { signal } = options;
  for (let after: string | null = null; ; ) {
    const data = { executionId, after, waitMs: WAIT_MS, limit: 500 };
    const events: Events = await patiently(
      async () =>
        resultOf(
          await send('/v2/agents/execution/events', data, { signal, timeoutMs: TIMEOUT_MS }),
        ) as Events,
      options,
    );
    for (const event of events.events) yield { ...event, executionId };
    after = events.next;
    if (events.done) return;
  }
}

/** The items of all sources in the order in which they arrive. */
async function* merge<T>(sources: AsyncGenerator<T, void>[]): AsyncGenerator<T, void> {
  const ask = async (source: AsyncGenerator<T, void>) => ({ source, step: await source.next() });
  const waiting = new Map(sources.map((source) => [source, ask(source)]));
  try {
    while (waiting.size > 0) {
      const { source, step } = await Promise.race(waiting.values());
      if (step.done) {
        waiting.delete(source);
        continue;
      }
      waiting.set(source, ask(source));
      yield step.value;
    }
  } finally {
    for (const [source, asked] of waiting) {
      asked.catch(() => {});
      void source.return();
    }
  }
}

async function readResult(
  { send }: Connection,
  list: Pages,
  executionIds: readonly string[],
  options: WaitOptions,
): Promise<Omit<ReviewResult, 'review'>> {
  const { signal } = options;
  const runs = await Promise.all(
    executionIds.map(async (executionId) => {
      const path = '/v2/agents/execution/get';
      const body = await patiently(() => send(path, { executionId }, { signal }), options);
      const read = { executionId, includeResults: true };
      const given = { signal, max: Number.POSITIVE_INFINITY };
      const pages = await patiently(() => list.all(read, given), options);
      return { execution: body.result.data.execution as Execution, pages };
    }),
  );
  const findings = runs.flatMap(({ execution, pages }) =>
    pages.flatMap((page) =>
      (page.findings ?? []).map((finding) => ({
        ...finding,
        executionId: execution.id,
        agentId: execution.agentId,
      })),
    ),
  );
  return { status: statusOf(runs.map(({ execution }) => execution.status)), findings, runs };
}

function statusOf(all: Execution['status'][]): ReviewResult['status'] {
  const failed = all.filter((status) => status === 'error').length;
  if (failed > 0) return failed === all.length ? 'error' : 'partial';
  const order = ['partial', 'failed', 'passed'] as const;
  return order.find((status) => all.includes(status)) ?? 'skipped';
}
