/** The failure codes of the wire, see `http/envelope.ts` for their HTTP numbers. */
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

/** One problem of a refused request: where it is, a machine-readable kind, a sentence. */
export interface Issue {
  path: (string | number)[];
  code: string;
  message: string;
}

/** A failure the caller may read: its message and details are safe to show. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ErrorStatus;
  readonly details: unknown;
  /** A second word for the kind of failure, where an operation has always had one. */
  readonly code: string | undefined;
  /** Seconds after which the same request may succeed; becomes the `retry-after` header. */
  readonly retryAfterSeconds: number | undefined;
  /** True if the transaction commits all the same, since only a part of the request failed. */
  readonly commits: boolean;

  constructor(
    status: ErrorStatus,
    message: string,
    options: {
      details?: unknown;
      code?: string;
      cause?: unknown;
      retryAfterSeconds?: number;
      commits?: boolean;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.details = options.details;
    this.code = options.code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.commits = options.commits ?? false;
  }
}

export const invalidArgument = (message: string, details?: unknown) =>
  new ApiError('INVALID_ARGUMENT', message, { details });
export const notFound = (message: string) => new ApiError('NOT_FOUND', message);
export const permissionDenied = (message: string) => new ApiError('PERMISSION_DENIED', message);
export const alreadyExists = (message: string) => new ApiError('ALREADY_EXISTS', message);
export const failedPrecondition = (message: string) => new ApiError('FAILED_PRECONDITION', message);
export const resourceExhausted = (message: string, retryAfterSeconds?: number) =>
  new ApiError('RESOURCE_EXHAUSTED', message, { retryAfterSeconds });
export const unavailable = (message: string, cause?: unknown) =>
  new ApiError('UNAVAILABLE', message, { cause });

/** All problems of one request in one error: a sentence a line, the list under `details.issues`. */
export const invalidRequest = (issues: Issue[]) =>
  invalidArgument(issues.map((issue) => issue.message).join('\n'), { issues });

/** Another process holds the lease of the work by now, or the work has ended: nothing more may be written for it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
