import { INTERNAL_HOST_HINT } from '../../lib/allow-host-hint.ts';
import { storable } from '../../lib/text/cut-text.ts';
import { PageFailure } from '../../outside/browser/browser.ts';
import { McpFailure } from '../../outside/mcp/mcp.ts';
import { ModelFailure, type ModelFailureKind } from '../../outside/models/models.ts';
import { FetchFailure } from '../../outside/net/outbound-fetch.ts';

export type RunFaultCode =
  | 'TIMEOUT'
  | 'LLM_ERROR'
  | 'LLM_RATE_LIMITED'
  | 'MALFORMED_RESPONSE'
  | 'CRAWLER_ERROR'
  | 'CONTEXT_GATHERING_ERROR'
  | 'POST_PROCESS_ERROR'
  | 'SIGN_IN_FAILED'
  | 'SIGNED_OUT'
  | 'INTERNAL';

/** Failure of a run, or of one page of it; the message is meant for the caller. */
export class RunFault extends Error {
  override name = 'RunFault';
  readonly code: RunFaultCode;
  /** True if the same run may succeed when it is started again. */
  readonly retryable: boolean;

  constructor(code: RunFaultCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(storable(message), { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? true;
  }
}

const MODEL_CODES: Record<ModelFailureKind, RunFaultCode> = {
  'not-configured': 'LLM_ERROR',
  'rate-limited': 'LLM_RATE_LIMITED',
  unavailable: 'LLM_ERROR',
  rejected: 'LLM_ERROR',
  refused: 'LLM_ERROR',
  malformed: 'MALFORMED_RESPONSE',
  'over-budget': 'LLM_ERROR',
  timeout: 'TIMEOUT',
  aborted: 'TIMEOUT',
};

/** Maps an error of a phase to a fault of the API; `otherwise` is the code of errors without one of their own. */
export function asRunFault(error: unknown, otherwise: RunFaultCode): RunFault {
  if (error instanceof RunFault) return error;
  if (error instanceof PageFailure || error instanceof FetchFailure) {
    const code =
      error.kind === 'timeout' ? 'TIMEOUT' : error.kind === 'signed-out' ? 'SIGNED_OUT' : otherwise;
    const isRefused = error.kind === 'refused-host';
    const message = isRefused ? `${error.message} ${INTERNAL_HOST_HINT}` : error.message;
    return new RunFault(code, message, { retryable: !isRefused && error.kind !== 'withheld', cause: error });
  }
  if (error instanceof ModelFailure) {
    const message =
      error.kind === 'over-budget'
        ? 'The tokens that a run may spend are used up (REDPEN_RUN_TOKENS).'
        : error.message;
    return new RunFault(MODEL_CODES[error.kind], message, { retryable: error.retryable, cause: error });
  }
  if (error instanceof McpFailure) {
    const code = error.kind === 'timeout' ? 'TIMEOUT' : otherwise;
    const retryable = error.kind !== 'refused-host' && error.kind !== 'unauthorized';
    return new RunFault(code, error.message, { retryable, cause: error });
  }
  // Callers cannot act on a bug of this program, and its message may reveal internals.
  const isBug =
    otherwise === 'INTERNAL' ||
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    error instanceof RangeError;
  if (isBug) return new RunFault('INTERNAL', 'Internal error.', { cause: error });
  return new RunFault(otherwise, error instanceof Error ? error.message : String(error), { cause: error });
}
