import { ApiError, type ErrorStatus } from '../../lib/errors.ts';
import { ModelFailure, type ModelFailureKind, type TokenBudget } from './models.ts';

const STATUS: Record<ModelFailureKind, ErrorStatus> = {
  'not-configured': 'FAILED_PRECONDITION',
  'rate-limited': 'RESOURCE_EXHAUSTED',
  unavailable: 'UNAVAILABLE',
  rejected: 'FAILED_PRECONDITION',
  refused: 'FAILED_PRECONDITION',
  malformed: 'UNAVAILABLE',
  'over-budget': 'RESOURCE_EXHAUSTED',
  timeout: 'DEADLINE_EXCEEDED',
  aborted: 'UNAVAILABLE',
};

/** Turns a `ModelFailure` into the operation's error; other errors are returned unchanged. */
export const asApiError = (error: unknown): unknown =>
  error instanceof ModelFailure ? new ApiError(STATUS[error.kind], error.message, { cause: error }) : error;

/** Errors of operations that ask a model, for the API reference. */
export const modelFailures = {
  FAILED_PRECONDITION: 'The provider is not configured, or refuses the request.',
  RESOURCE_EXHAUSTED: 'The provider limits requests, or too many tokens were spent.',
  UNAVAILABLE: 'The provider cannot be reached or answers nonsense.',
  DEADLINE_EXCEEDED: 'The provider takes too long.',
} satisfies Partial<Record<ErrorStatus, string>>;

/** Token budget of everything that one request asks. */
export function tokenBudget(tokens: number): TokenBudget {
  let left = tokens;
  return {
    left: () => left,
    spend: ({ totalTokens }) => {
      left -= totalTokens;
    },
  };
}
