import { ApiError, type ErrorStatus } from '../lib/errors.ts';

export const httpStatus: Record<ErrorStatus, number> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

export interface FailureEnvelope {
  error: { status: ErrorStatus; message: string; code?: string; details?: unknown };
}

export const failure = ({ status, message, code, details }: ApiError): FailureEnvelope => ({
  error: { status, message, ...(code !== undefined && { code }), ...(details !== undefined && { details }) },
});

/** For failures outside of any operation, such as a body that is too large. */
export const failureOf = (status: ErrorStatus, message: string): FailureEnvelope =>
  failure(new ApiError(status, message));
