import type { Attempt } from '../../db/tables/webhook-tables.ts';
import { cutText, storable } from '../../lib/text/cut-text.ts';
import { parseRetryAfter } from '../../lib/text/retry-after.ts';
import { inSpan } from '../../lib/tracing/tracing.ts';
import { FetchFailure, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { NoPublicKey } from './format-body.ts';

/** Time limit of the whole exchange, from the connection to the last byte of the response. */
export const SEND_TIMEOUT_MS = 15_000;
/** Bytes of a response's body that are read; the rest is cut off. */
const MAX_RESPONSE_BYTES = 20_000;
/** Characters of the response that an attempt stores. */
const MAX_EXCERPT = 1_000;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  /** The exact bytes that were signed. */
  body: string;
  /** Removed from the stored response, in case the receiver echoes them. */
  secrets: string[];
}

export interface SendOutcome {
  attempt: Attempt;
  retryAfterMs?: number | undefined;
  /** The receiver responded with 410. */
  isGone: boolean;
  /**
   * The SSRF guard refused the host. The stored attempt does not say so, because it would reveal internal hosts to the
   * endpoint's owner.
   */
  isForbidden: boolean;
}

/** Posts once and follows no redirect. Returns undefined if the signal aborted it, since its outcome is unknown. */
export function sendWebhook(
  fetch: SafeFetch,
  request: WebhookRequest,
  signal?: AbortSignal,
): Promise<SendOutcome | undefined> {
  // The path of an endpoint may contain a token.
  const attributes = {
    'http.request.method': 'POST',
    'server.address': URL.parse(request.url)?.hostname,
    'redpen.webhook.message.id': request.headers['webhook-id'],
  };
  return inSpan('POST webhook', { kind: 'client', attributes }, async (span) => {
    const sent = await send(fetch, request, signal);
    const { outcome = 'aborted', status } = sent?.attempt ?? {};
    span.set({ 'http.response.status_code': status, 'redpen.webhook.outcome': outcome });
    if (outcome !== 'delivered') span.fail(String(status ?? outcome));
    return sent;
  });
}

async function send(
  fetch: SafeFetch,
  { url, headers, body, secrets }: WebhookRequest,
  signal?: AbortSignal,
): Promise<SendOutcome | undefined> {
  const at = Date.now();
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      maxRedirects: 0,
      timeoutMs: SEND_TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      ...(signal && { signal }),
    });
    const { status } = response;
    const delivered = status >= 200 && status < 300;
    const text = excerpt(response.body, secrets);
    return {
      attempt: {
        at,
        outcome: delivered ? 'delivered' : 'refused',
        status,
        latencyMs: latency(),
        ...(text !== '' && { response: text }),
        ...(!delivered && { error: refusal(status) }),
      },
      retryAfterMs: delivered ? undefined : parseRetryAfter(response.headers['retry-after'], Date.now()),
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

/** The outcome of a message whose request could not be built. */
export const failedToBuild = (at: number, error: unknown): SendOutcome => ({
  attempt: {
    at,
    outcome: 'unreachable',
    latencyMs: 0,
    error: error instanceof NoPublicKey ? error.message : 'The message could not be prepared.',
  },
  isGone: false,
  isForbidden: false,
});

function refusal(status: number): string {
  if (status >= 300 && status < 400) {
    return `The receiver answered ${status}; redirects are not followed.`;
  }
  return `The receiver answered ${status}; only 2xx counts as delivered.`;
}

/** The beginning of a response as text that the database can store, without secrets. */
function excerpt(bytes: Uint8Array, secrets: string[]): string {
  if (bytes.length === 0) return '';
  let text = Buffer.from(bytes).toString('utf8');
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '[secret]');
  return storable(cutText(text, MAX_EXCERPT));
}
