import { setTimeout as pause } from 'node:timers/promises';
import { isRedpenError, type RedpenError } from '../../../../packages/client/src/errors.ts';
import { createRawClient } from '../../../../packages/client/src/raw.ts';
import type { Pictures, Report } from '../../../report/report.ts';
import type { Access } from './embedded-service.ts';
import { type Interruption, rejectOnAbort } from './interruption.ts';
import type { ReviewPlan } from './review-settings.ts';
import type { ReviewState } from './review-states.ts';

/** Time for which an answer waits for a change. */
const WAIT_MS = 20_000;
const TIMEOUT_MS = 60_000;
/** Time for which the service may be away, for example because it is restarted. */
const OUTAGE_MS = 300_000;
const PAUSE_MS = 1_000;
/** After Ctrl-C, each answer that is still wanted has this time. */
const LAST_WAIT_MS = 5_000;
/** Bytes of the pictures in one report: further pages go without. */
const MAX_PICTURE_BYTES = 64 * 2 ** 20;

/** The part of the service that a review needs. */
export interface ReviewApi {
  /** Starts a review, and returns its id. */
  start(plan: ReviewPlan, signal: AbortSignal): Promise<string>;
  /** The states of a review until it has ended, each one that differs from the one before. */
  follow(reviewId: string, signal: AbortSignal): AsyncGenerator<ReviewState, void>;
  /** Cancels a review and waits until it has ended. */
  cancel(reviewId: string, reason: string, signal: AbortSignal): Promise<void>;
  /** The report on a review, with what is known so far. */
  report(reviewId: string, signal?: AbortSignal): Promise<Report>;
  /** The pictures of its pages. */
  pictures(report: Report): Promise<Pictures>;
}

/** Calls a service. Once `over` is aborted, no request goes on. */
export function openReviewApi({ url, apiKey, authToken }: Access, over: AbortSignal): ReviewApi {
  const { send, connection } = createRawClient({ baseUrl: url, apiKey, authToken });

  async function* follow(reviewId: string, signal: AbortSignal): AsyncGenerator<ReviewState, void> {
    for (let seen: string | undefined; ; ) {
      const data = { reviewId, ...(seen !== undefined && { seen, waitMs: WAIT_MS }) };
      const body = await patiently(
        () => send('/v2/reviews/get', data, { signal, timeoutMs: TIMEOUT_MS }),
        AbortSignal.any([signal, over]),
      );
      const state = body.result.data.review as ReviewState;
      if (state.revision !== seen) yield state;
      if (state.status === 'ended') return;
      seen = state.revision;
    }
  }

  return {
    async start(plan, signal) {
      const body = await send('/v2/reviews/run', requestOf(plan), { signal });
      return body.result.data.reviewId as string;
    },
    follow,
    async cancel(reviewId, reason, signal) {
      await send('/v2/reviews/cancel', { reviewId, reason }, { signal }).catch((error: unknown) => {
        // It has ended in the meantime.
        if (!isRedpenError(error) || error.status !== 'FAILED_PRECONDITION') throw error;
      });
      for await (const _ of follow(reviewId, signal));
    },
    async report(reviewId, signal) {
      const path = `/v2/reviews/${encodeURIComponent(reviewId)}/report?format=json`;
      const ends = AbortSignal.any([signal ?? AbortSignal.timeout(OUTAGE_MS), over]);
      const response = await patiently(() => connection.request(path, { signal: ends }), ends);
      return (await response.json()) as Report;
    },
    async pictures({ pages }) {
      const found = new Map<string, Uint8Array>();
      let room = MAX_PICTURE_BYTES;
      for (const { artifactId } of pages.flatMap(({ screenshot }) => screenshot?.tiles ?? [])) {
        const bytes = await connection
          .request(`/v2/blobs/${encodeURIComponent(artifactId)}`, { signal: over })
          .then(async (response) => new Uint8Array(await response.arrayBuffer()))
          // A report without a picture is better than none.
          .catch(() => new Uint8Array());
        if (bytes.byteLength === 0 || bytes.byteLength > room) continue;
        found.set(artifactId, bytes);
        room -= bytes.byteLength;
      }
      return found;
    },
  };
}

/** The time for an answer after Ctrl-C. */
export const lastWait = ({ atOnce }: Pick<Interruption, 'atOnce'>): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(LAST_WAIT_MS), atOnce]);

/**
 * Cancels a review after Ctrl-C, even if the answer to its start is still on its way: on a server, it would go on.
 * Returns its id; undefined if it has none.
 */
export async function cancelStarted(
  api: ReviewApi,
  started: Promise<string>,
  interruption: Pick<Interruption, 'atOnce'>,
): Promise<string | undefined> {
  const reviewId = await Promise.race([started, rejectOnAbort(lastWait(interruption))]).catch(
    () => undefined,
  );
  if (reviewId !== undefined)
    await api.cancel(reviewId, 'The command was interrupted.', lastWait(interruption)).catch(() => {});
  return reviewId;
}

function requestOf(plan: ReviewPlan): object {
  const { agents, preset, pages, sitemap, followsLinks, maxPages, device, rules, document, auth } = plan;
  const crawls = maxPages !== 1 && (followsLinks || maxPages !== undefined || pages.length > 0 || sitemap);
  return {
    urls: plan.urls,
    ...(agents && { agents }),
    ...(preset && { preset }),
    crossPageExecute: crawls,
    ...(maxPages !== undefined && { maxUrlsToProcess: maxPages }),
    ...(pages.length > 0 && { pages }),
    ...(sitemap && { sitemap }),
    ...(device && { deviceType: device }),
    ...(Object.keys(rules).length > 0 && { severities: rules }),
    ...document,
    // Only people who see the document or the HTML report look at pictures.
    ...(!document && !wantsPictures(plan) && { screenshots: 'none' }),
    ...(auth && { auth }),
  };
}

export const wantsPictures = ({ files, printed }: ReviewPlan): boolean =>
  files.includes('html') || printed === 'html';

/** Repeats a read while the service is away. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const began = Date.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error) || Date.now() - began > OUTAGE_MS) throw error;
      await pause(PAUSE_MS, undefined, { signal });
    }
  }
}

/** True if the service did not answer, or will again. Errors of `fetch` itself are of no class of ours. */
const isAway = (error: unknown): boolean =>
  !isRedpenError(error) || error.httpStatus === undefined || error.httpStatus === 429 || isUnavailable(error);

const isUnavailable = ({ status }: RedpenError): boolean => status === 'UNAVAILABLE' || status === 'ABORTED';
