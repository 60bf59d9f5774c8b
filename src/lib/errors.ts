/** Error statuses of the API. `http/envelope.ts` maps them to HTTP statuses. */
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

/** One problem of a rejected request: its path, a machine-readable code, and a sentence. */
export interface Issue {
  path: (string | number)[];
  code: string;
  message: string;
}

/** An error for the caller: its message and details are safe to show. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ErrorStatus;
  readonly details: unknown;
  /** A more specific error code, which some operations have for compatibility. */
  readonly code: string | undefined;
  /** Seconds after which the same request may succeed; becomes the `retry-after` header. */
  readonly retryAfterSeconds: number | undefined;
  /** True if the transaction commits nevertheless, because only a part of the request failed. */
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

/** All problems of a request in one error: one sentence per line, and the list as `details.issues`. */
export const invalidRequest = (issues: Issue[]) =>
  invalidArgument(issues.map((issue) => issue.message).join('\n'), { issues });

/** Thrown if another process has taken over the lease or the work has ended: nothing more may be written for it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

const MAX_CAUSES = 8;

/** An error and its causes, outermost first. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    causes.push(cause);
  }
  return causes;
}
