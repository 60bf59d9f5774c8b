import { STATUS_CODES } from 'node:http';
import { causesOf } from '../../lib/errors.ts';
import { parseRetryAfter } from '../../lib/text/retry-after.ts';
import type { ModelFailureKind } from './models.ts';
import { AnswerTooLong, UnreadableAnswer } from './provider-fetch.ts';
import { type Confidential, errorInBody, messageOfBody, publicWords } from './provider-words.ts';

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
  /** A string, or JSON that was parsed. */
  responseBody?: unknown;
  cause?: unknown;
  error?: { type?: string; message?: string };
}

const TRANSIENT = new Set([408, 409, 425, 429]);

interface RequestContext extends Confidential {
  /** Address of the provider, without credentials. */
  address: string;
}

/** Classifies an error of a provider's client; the reason contains neither keys nor the prompt. */
export function classifyFailure(error: unknown, context: RequestContext): RequestFailure {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown;
  if (causesOf(error).some((it) => it instanceof AnswerTooLong)) {
    return {
      kind: 'malformed',
      reason: 'The answer of the model is too long',
      isTemporary: false,
      rawMessage: '',
    };
  }
  const { message = '' } = thrown;
  const responseBody = bodyOf(thrown);
  const rawMessage = [message, responseBody].filter(Boolean).join('\n');
  const status = statusOf(thrown);
  const unread = causesOf(error).find(isUnreadable);
  const isUnread = unread !== undefined || (thrown.isRetryable === false && message !== '');
  if (status === undefined ? unread !== undefined : status < 300 && isUnread) {
    const body = (unread instanceof UnreadableAnswer ? unread.body : undefined) ?? responseBody;
    const words = publicWords(messageOfBody(body), context);
    const reason = `The provider gave an answer that cannot be read${words === '' ? '' : ` (${words})`}`;
    return { kind: 'malformed', reason, isTemporary: true, status, rawMessage };
  }
  if (status === undefined || status < 300) {
    return {
      kind: 'unavailable',
      reason: connectionFailed(context.address, error),
      isTemporary: true,
      rawMessage,
    };
  }
  if (status < 400) {
    const reason = `The provider answered with a redirect (${status}), which is not followed`;
    return { kind: 'rejected', reason, isTemporary: false, status, rawMessage };
  }
  const said = responseBody.trim() === '' ? (thrown.error?.message ?? message) : messageOfBody(responseBody);
  const words = publicWords(said, context) || (STATUS_CODES[status] ?? '');
  const detail = words === '' ? `(${status})` : `(${status}: ${words})`;
  return { ...gradeOf(status, detail), status, waitMs: waitOf(thrown), rawMessage };
}

function gradeOf(status: number, detail: string): Pick<RequestFailure, 'kind' | 'reason' | 'isTemporary'> {
  if (status === 429)
    return { kind: 'rate-limited', reason: `The provider limits the rate ${detail}`, isTemporary: true };
  if (TRANSIENT.has(status) || status >= 500)
    return { kind: 'unavailable', reason: `The provider failed ${detail}`, isTemporary: true };
  return { kind: 'rejected', reason: `The provider refused the request ${detail}`, isTemporary: false };
}

/** Some servers answer with 200 and an error in the body. */
function statusOf(thrown: Thrown): number | undefined {
  const status = thrown.statusCode ?? statusOfType(thrown.type ?? thrown.error?.type);
  if (status === undefined || status >= 300) return status;
  const { code, type: kind, status: name } = errorInBody(bodyOf(thrown)) ?? {};
  if (typeof code === 'number' && code >= 400 && code < 600) return code;
  return statusOfType([kind, name].find((one) => typeof one === 'string')) ?? status;
}

const bodyOf = ({ responseBody = '' }: Thrown): string =>
  typeof responseBody === 'string' ? responseBody : (JSON.stringify(responseBody) ?? '');

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

/** Delay in ms from `retry-after`, `retry-after-ms`, or the body of Google's errors. */
function waitOf(thrown: Thrown): number | undefined {
  const { responseHeaders = {} } = thrown;
  const ms = Number(responseHeaders['retry-after-ms'] || Number.NaN);
  if (ms >= 0) return ms;
  const named = parseRetryAfter(responseHeaders['retry-after'], Date.now());
  const google = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(bodyOf(thrown))?.[1];
  return named ?? (google === undefined ? undefined : Number(google) * 1_000);
}
