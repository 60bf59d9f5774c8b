import { failureKind } from './fetch-failure-kind.ts';
import type { FetchFailureKind } from './outbound-fetch.ts';

/**
 * Reasons that an address gave no answer, worded to follow "it could not be read:". A host that the SSRF guard refuses
 * has the same words as one that cannot be reached, so that they reveal nothing about the internal network.
 */
export const FETCH_FAILURE_REASONS: Record<FetchFailureKind, string> = {
  'invalid-url': 'it is not a valid URL',
  'refused-host': 'its host cannot be reached',
  withheld: 'a signed-in run does not request what looks like signing out or deleting',
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

/** Codes whose reason is more precise than that of their kind. */
const CODE_REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'its host name does not exist',
};

/** Explains an error of the system, undici or OpenSSL. */
export function failureReasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureReasonOf(error.errors[0]);
  const { code } = error as { code?: unknown };
  return (
    (typeof code === 'string' ? CODE_REASONS[code] : undefined) ?? FETCH_FAILURE_REASONS[failureKind(error)]
  );
}

const CERTIFICATE_REASONS: Record<string, string> = {
  DATE_INVALID: 'its certificate has expired or is not valid yet',
  COMMON_NAME_INVALID: 'its certificate is for another host name',
  AUTHORITY_INVALID: 'its certificate is of no known authority',
};

const BROWSER_REASONS: [RegExp, string][] = [
  [/^ERR_CONNECTION_REFUSED$/, CODE_REASONS.ECONNREFUSED!],
  [/^ERR_NAME_NOT_RESOLVED$/, CODE_REASONS.ENOTFOUND!],
  [/^ERR_(CONNECTION_)?TIMED_OUT$/, FETCH_FAILURE_REASONS.timeout],
  [
    /^ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH)$/,
    FETCH_FAILURE_REASONS.reset,
  ],
  [/^ERR_INCOMPLETE_CHUNKED_ENCODING$/, FETCH_FAILURE_REASONS.reset],
  [/^ERR_(SSL|CERT|BAD_SSL)_/, FETCH_FAILURE_REASONS.tls],
  [/^ERR_UNSAFE_PORT$/, 'browsers do not open its port, which belongs to another protocol'],
  [/^ERR_TOO_MANY_REDIRECTS$/, FETCH_FAILURE_REASONS['too-many-redirects']],
  [/^ERR_(INVALID|RESPONSE_HEADERS|HTTP2|CONTENT_DECODING)_/, FETCH_FAILURE_REASONS.protocol],
];

/** Explains a network error of Chromium, such as `ERR_CERT_DATE_INVALID`. A rare code is returned as it is. */
export function reasonOfChromium(code: string): string {
  const certificate = CERTIFICATE_REASONS[code.replace(/^ERR_CERT_/, '')];
  const words = certificate ?? BROWSER_REASONS.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? code : `${words} (${code})`;
}
