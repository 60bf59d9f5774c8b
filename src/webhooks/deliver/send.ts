import type { Attempt } from '../../db/tables/webhook-tables.ts';
import { cutText, storable } from '../../lib/text/cut-text.ts';
import { FetchFailure, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { readRetryAfter } from './schedule.ts';
import { NoPublicKey } from './wrap-body.ts';

/** For the whole exchange, from the connection to the last byte of the answer. */
export const SEND_TIMEOUT_MS = 15_000;
/** Of an answer's body; what comes after is cut off. */
const MAX_ANSWER_BYTES = 20_000;
/** Of them, what an attempt keeps, in characters. */
const MAX_EXCERPT = 1_000;

export interface Parcel {
  url: string;
  headers: Record<string, string>;
  /** The very bytes that were signed. */
  body: string;
  /** Never to be kept, should the receiver send them back. */
  secrets: string[];
}

export interface Sent {
  attempt: Attempt;
  retryAfterMs?: number | undefined;
  /** The receiver said that it is gone for good (410). */
  isGone: boolean;
  /** The outbound guard spoke against it; kept from the attempt, which would tell of the inside. */
  isForbidden: boolean;
}

/** Posts once, following no redirect. Answers undefined where the signal ended it: then nobody knows. */
export async function send(
  fetch: SafeFetch,
  { url, headers, body, secrets }: Parcel,
  signal?: AbortSignal,
): Promise<Sent | undefined> {
  const at = Date.now();
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      maxRedirects: 0,
      timeoutMs: SEND_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      ...(signal && { signal }),
    });
    const { status } = answer;
    const delivered = status >= 200 && status < 300;
    const response = excerpt(answer.body, secrets);
    return {
      attempt: {
        at,
        outcome: delivered ? 'delivered' : 'refused',
        status,
        latencyMs: latency(),
        ...(response !== '' && { response }),
        ...(!delivered && { error: refusal(status) }),
      },
      retryAfterMs: delivered ? undefined : readRetryAfter(answer.headers['retry-after'], Date.now()),
      isGone: status === 410,
      isForbidden: false,
    };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    if (error.kind === 'aborted') return undefined;
    return {
      attempt: {
        at,
        outcome: error.kind === 'timeout' ? 'timeout' : 'unreachable',
        latencyMs: latency(),
        error: error.message,
      },
      isGone: false,
      isForbidden: error.kind === 'refused-host',
    };
  }
}

/** Of a message that could not even be made ready. */
export const unsendable = (at: number, error: unknown): Sent => ({
  attempt: {
    at,
    outcome: 'unreachable',
    latencyMs: 0,
    error: error instanceof NoPublicKey ? error.message : 'The message could not be made ready.',
  },
  isGone: false,
  isForbidden: false,
});

function refusal(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered ${status}; redirects are not followed.`;
  }
  return `The receiver answered ${status}; only 2xx counts as received.`;
}

/** The beginning of an answer as text that the database can hold, secrets cut out. */
function excerpt(bytes: Uint8Array, secrets: string[]): string {
  if (bytes.length === 0) return '';
  let text = Buffer.from(bytes).toString('utf8');
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '[secret]');
  return storable(cutText(text, MAX_EXCERPT));
}
