import { ApiError, type ErrorStatus } from '../../lib/errors.ts';
import { EmbedFailure } from '../../outside/embed/embedder.ts';

const statuses: Record<EmbedFailure['kind'], ErrorStatus> = {
  'not-configured': 'FAILED_PRECONDITION',
  rejected: 'FAILED_PRECONDITION',
  'rate-limited': 'RESOURCE_EXHAUSTED',
  unavailable: 'UNAVAILABLE',
  aborted: 'UNAVAILABLE',
  timeout: 'DEADLINE_EXCEEDED',
};

const sentences: Record<EmbedFailure['kind'], string> = {
  'not-configured': 'The model of embeddings is not set up.',
  rejected: 'The provider of embeddings refuses the request.',
  'rate-limited': 'The provider of embeddings is asked too often right now.',
  unavailable: 'The provider of embeddings cannot be reached right now.',
  aborted: 'The search was broken off.',
  timeout: 'The provider of embeddings took too long to answer.',
};

/** Errors of operations that embed a text, for the API reference. */
export const embedFailures = {
  FAILED_PRECONDITION: 'The model of embeddings is not set up, or its provider refuses the request.',
  RESOURCE_EXHAUSTED: 'The provider of embeddings limits requests.',
  UNAVAILABLE: 'The provider of embeddings cannot be reached.',
  DEADLINE_EXCEEDED: 'The provider of embeddings takes too long.',
} satisfies Partial<Record<ErrorStatus, string>>;

/** Maps an `EmbedFailure` to an `ApiError`; returns any other error unchanged. */
export function embedApiError(error: unknown): unknown {
  if (!(error instanceof EmbedFailure)) return error;
  const { kind, retryAfterMs } = error;
  return new ApiError(statuses[kind], sentences[kind], {
    cause: error,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  });
}
