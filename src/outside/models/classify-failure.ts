import { causesOf } from '../../lib/errors.ts';
import { cutText, shorten } from '../../lib/text/cut-text.ts';
import type { ModelFailureKind } from './models.ts';
import { AnswerTooLong, UnreadableAnswer } from './provider-fetch.ts';

/** Classified failure of a request. */
export interface RequestFailure {
  kind: ModelFailureKind;
  /** Sentence for the caller, without a full stop. */
  reason: string;
  status?: number | undefined;
  /** True if a retry may succeed. */
  isTemporary: boolean;
  /** Delay in ms that the provider asks for. */
  waitMs?: number | undefined;
  /** Raw text of the provider, for matching; it is never shown. */
  rawMessage: string;
}

/** The fields that are read from errors that the clients throw, or put into streams. */
interface Thrown {
  name?: string;
  message?: string;
  type?: string;
  statusCode?: number;
  isRetryable?: boolean;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  cause?: unknown;
  error?: { type?: string; message?: string };
}

const TRANSIENT = new Set([408, 409, 425, 429]);

interface RequestContext {
  /** Address of the provider, without credentials. */
  address: string;
  secrets: readonly string[];
  prompt: string;
}

/** Classifies an error of a provider's client; the reason contains neither keys nor the prompt. */
export function classifyFailure(
  error: unknown,
  { address, secrets, prompt }: RequestContext,
): RequestFailure {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown;
  if (causesOf(error).some((it) => it instanceof AnswerTooLong)) {
    return {
      kind: 'malformed',
      reason: 'The answer of the model is too long',
      isTemporary: false,
      rawMessage: '',
    };
  }
  if (causesOf(error).some(isUnreadable)) {
    return {
      kind: 'malformed',
      reason: 'The provider gave an answer that cannot be read',
      isTemporary: true,
      rawMessage: '',
    };
  }
  const rawMessage = [thrown.message, thrown.responseBody].filter(Boolean).join('\n');
  const status = thrown.statusCode ?? statusOfType(thrown.type ?? thrown.error?.type);
  if (status === undefined || status < 300) {
    return thrown.isRetryable === false && thrown.message !== undefined && status !== undefined
      ? {
          kind: 'malformed',
          reason: 'The provider gave an answer that cannot be read',
          isTemporary: true,
          status,
          rawMessage,
        }
      : { kind: 'unavailable', reason: connectionFailed(address, error), isTemporary: true, rawMessage };
  }
  if (status < 400) {
    const reason = `The provider answered with a redirect (${status}), which is not followed`;
    return { kind: 'rejected', reason, isTemporary: false, status, rawMessage };
  }
  const words = sanitized(thrown.message ?? thrown.error?.message ?? '', secrets, prompt);
  const detail = words === '' ? `(${status})` : `(${status}: ${words})`;
  const waitMs = waitOf(thrown);
  if (status === 429) {
    return {
      kind: 'rate-limited',
      reason: `The provider limits the rate ${detail}`,
      isTemporary: true,
      status,
      waitMs,
      rawMessage,
    };
  }
  if (TRANSIENT.has(status) || status >= 500) {
    return {
      kind: 'unavailable',
      reason: `The provider failed ${detail}`,
      isTemporary: true,
      status,
      waitMs,
      rawMessage,
    };
  }
  return {
    kind: 'rejected',
    reason: `The provider refused the request ${detail}`,
    isTemporary: false,
    status,
    rawMessage,
  };
}

/** Errors within a stream have a type in place of a status. */
function statusOfType(type: string | undefined): number | undefined {
  if (type === undefined) return undefined;
  if (/overloaded|unavailable/i.test(type)) return 529;
  if (/rate_limit|RESOURCE_EXHAUSTED/i.test(type)) return 429;
  if (/invalid_request|INVALID_ARGUMENT/i.test(type)) return 400;
  return /error|internal/i.test(type) ? 500 : undefined;
}

/** Sentence about a failed connection, without a full stop. */
export function connectionFailed(address: string, error: unknown): string {
  const [code] = causesOf(error).flatMap((it) => {
    const { code: its } = it as NodeJS.ErrnoException;
    return typeof its === 'string' && /^[A-Z][A-Z0-9_]+$/.test(its) ? [its] : [];
  });
  return `The connection to the provider at ${address} failed${code === undefined ? '' : ` (${code})`}`;
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof UnreadableAnswer ||
  /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)Error$/.test((error as Error).name);

/** Delay in ms from `retry-after` (seconds or a date), `retry-after-ms`, or the body of Google's errors. */
function waitOf({ responseHeaders = {}, responseBody = '' }: Thrown): number | undefined {
  const ms = Number(responseHeaders['retry-after-ms'] || Number.NaN);
  if (ms >= 0) return ms;
  const after = responseHeaders['retry-after'];
  if (after !== undefined && after !== '') {
    const seconds = Number(after);
    const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1_000;
    if (!Number.isNaN(wait)) return Math.max(0, wait);
  }
  const google = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(responseBody)?.[1];
  return google === undefined ? undefined : Number(google) * 1_000;
}

const KEY_LIKE = /\b(?:sk|pk|rk|key|AIza|Bearer|gsk|xai)[-_ ]?[\w.*-]{8,}|\b[\w-]{32,}\b/gi;

/** Characters of the prompt that a provider's message may quote. */
const MAX_QUOTED_CHARS = 24;

/** Shortens a provider's message and removes keys; empty if it quotes the prompt. */
function sanitized(message: string, secrets: readonly string[], prompt: string): string {
  let words = cutText(message, 2_000);
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '…');
  words = shorten(words.replace(KEY_LIKE, '…').replace(/\s+/g, ' ').trim(), 200).replace(/\.$/, '');
  for (let at = 0; at + MAX_QUOTED_CHARS <= words.length; at += MAX_QUOTED_CHARS / 2) {
    if (prompt.includes(words.slice(at, at + MAX_QUOTED_CHARS))) return '';
  }
  return words;
}
