/** The statuses with which the service refuses requests. */
export type ErrorStatus =
  | 'INVALID_ARGUMENT'
  | 'FAILED_PRECONDITION'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'ABORTED'
  | 'RESOURCE_EXHAUSTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED';

/** One problem of a request: where it is, a code for programs, and a sentence. */
export interface Issue {
  path: (string | number)[];
  code: string;
  message: string;
}

export interface Facts {
  code?: string | undefined;
  issues?: Issue[] | undefined;
  hint?: string | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  httpStatus?: number | undefined;
  cause?: unknown;
}

/** A request that failed: refused by the service, or not answered by it. */
export class RedpenError extends Error {
  override name = 'RedpenError';
  declare readonly status: ErrorStatus;
  /** A more specific code, which some operations have. */
  declare readonly code: string | undefined;
  /** The problems of a malformed request, one by one. */
  declare readonly issues: Issue[];
  /** What was probably meant, if the service can guess it. */
  declare readonly hint: string | undefined;
  /** Finds the request in the log of the service. */
  declare readonly requestId: string | undefined;
  /** The time after which the same request may succeed. */
  declare readonly retryAfterMs: number | undefined;
  /** Undefined if no answer arrived. */
  declare readonly httpStatus: number | undefined;

  constructor(status: ErrorStatus, message: string, { cause, ...facts }: Facts = {}) {
    super(message, { cause });
    const { httpStatus, issues = [] } = facts;
    Object.assign(this, facts, { status, httpStatus, issues });
  }
}

/** True for errors of any copy of this package, which `instanceof` would not recognize. */
export const isRedpenError = (error: unknown): error is RedpenError =>
  error instanceof Error && error.name === 'RedpenError';

/** True if the same request may succeed when it is sent again. */
export const isRepeatable = ({ status, httpStatus }: RedpenError): boolean =>
  status === 'UNAVAILABLE' || status === 'ABORTED' || httpStatus === 429;

/** For answers of a proxy, which have no envelope. */
const STATUS_OF: Record<number, ErrorStatus> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

interface Failure {
  error?: {
    status: ErrorStatus;
    message: string;
    code?: string;
    details?: { issues?: Issue[]; hint?: string };
  };
}

/** The error for an answer that is no success. */
export function errorOf(response: Response, text: string): RedpenError {
  const { status: httpStatus, headers } = response;
  const seconds = Number.parseFloat(headers.get('retry-after')!);
  const facts = {
    httpStatus,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: seconds >= 0 ? seconds * 1_000 : undefined,
  };
  const { error } = (parse(text) ?? {}) as Failure;
  if (!error) {
    return new RedpenError(
      STATUS_OF[httpStatus] ??
        (httpStatus < 500 ? 'INVALID_ARGUMENT' : httpStatus < 502 ? 'INTERNAL' : 'UNAVAILABLE'),
      `HTTP ${httpStatus}`,
      facts,
    );
  }
  const { status, message, code, details } = error;
  return new RedpenError(status, message, { ...facts, code, issues: details?.issues, hint: details?.hint });
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
