import { failureKind } from './fetch-failure-kind.ts';
import type { FetchFailureKind } from './outbound-fetch.ts';

/**
 * Why an address gave no answer, in words that follow "it could not be read:". Hosts that the guard refuses get
 * the words of a host that cannot be reached, which tell nothing of the inside.
 */
export const REASONS: Record<FetchFailureKind, string> = {
  'invalid-url': 'it is not a valid URL',
  'refused-host': 'its host cannot be reached',
  connect: 'its host cannot be reached',
  dns: 'its host name could not be resolved',
  tls: 'no secure connection could be made',
  reset: 'the connection was closed before the answer was complete',
  timeout: 'it did not answer in time',
  aborted: 'the request was cancelled',
  'redirect-loop': 'it redirects in a circle',
  'too-many-redirects': 'it redirects too often',
  protocol: 'the server did not answer with valid HTTP',
};

/** Errors that say more than their kind. */
const OF_CODE: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'its host name does not exist',
};

/** The reason of an error of the system, undici or OpenSSL. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' ? OF_CODE[code] : undefined) ?? REASONS[failureKind(error)];
}

const CERTIFICATE: Record<string, string> = {
  DATE_INVALID: 'its certificate has expired or is not valid yet',
  COMMON_NAME_INVALID: 'its certificate is for another host name',
  AUTHORITY_INVALID: 'its certificate is of no known authority',
};

const OF_BROWSER: [RegExp, string][] = [
  [/^ERR_CONNECTION_REFUSED$/, OF_CODE.ECONNREFUSED!],
  [/^ERR_NAME_NOT_RESOLVED$/, OF_CODE.ENOTFOUND!],
  [/^ERR_(CONNECTION_)?TIMED_OUT$/, REASONS.timeout],
  [/^ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH)$/, REASONS.reset],
  [/^ERR_INCOMPLETE_CHUNKED_ENCODING$/, REASONS.reset],
  [/^ERR_(SSL|CERT|BAD_SSL)_/, REASONS.tls],
  [/^ERR_UNSAFE_PORT$/, 'browsers do not open its port, which belongs to another protocol'],
  [/^ERR_TOO_MANY_REDIRECTS$/, REASONS['too-many-redirects']],
  [/^ERR_(INVALID|RESPONSE_HEADERS|HTTP2|CONTENT_DECODING)_/, REASONS.protocol],
];

/** The reason of one of Chromium's network errors, such as `ERR_CERT_DATE_INVALID`; the code alone where it is rare. */
export function reasonOfBrowser(code: string): string {
  const certificate = CERTIFICATE[code.replace(/^ERR_CERT_/, '')];
  const words = certificate ?? OF_BROWSER.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? code : `${words} (${code})`;
}
