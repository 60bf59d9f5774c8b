import type { FetchFailureKind } from './outbound-fetch.ts';

const KIND_OF_CODE: Record<string, FetchFailureKind> = {
  REFUSED_HOST: 'refused-host',
  DEADLINE: 'timeout',
  CONNECT_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'aborted',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  ENETDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EPERM: 'connect',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // OpenSSL reports `write EPROTO` when the server does not speak TLS.
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
};

/** Maps errors of undici, OpenSSL, zlib and the system to the few kinds that callers distinguish. */
export function failureKind(error: unknown): FetchFailureKind {
  if (error instanceof AggregateError && error.errors.length > 0) return failureKind(error.errors[0]);
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string };
  if (typeof code === 'string') {
    const known = KIND_OF_CODE[code];
    if (known === 'reset' && BROKEN_RESPONSE.test(message ?? '')) return 'protocol';
    if (known) return known;
    if (/^(CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|CRL_)/.test(code)) {
      return 'tls';
    }
  }
  if (name === 'AbortError' || name === 'TimeoutError') return 'aborted';
  return 'protocol';
}

/** undici's messages for a response it cannot follow, such as a bare 100 or an upgrade that was not requested. */
const BROKEN_RESPONSE = /bad response|bad upgrade/;
