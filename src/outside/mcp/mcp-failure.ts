import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { causesOf } from '../../lib/errors.ts';
import { cleanText } from './clean-tool-text.ts';
import { McpFailure } from './mcp.ts';

/** Explains an error in words that may be shown; of a server's own words, only its JSON-RPC error messages are. */
export function toMcpFailure(error: unknown, signal?: AbortSignal): McpFailure {
  if (signal?.aborted) return new McpFailure('aborted', 'It was cancelled.', { cause: error });
  for (const cause of causesOf(error)) {
    if (cause instanceof McpFailure) return cause;
    const status = httpStatusOf(cause);
    if (status === 401 || status === 403) {
      return new McpFailure('unauthorized', `The server refuses access with HTTP ${status}.`, {
        cause: error,
      });
    }
    if (status !== undefined) {
      return new McpFailure('protocol', `The server answered with HTTP ${status}.`, { cause: error });
    }
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new McpFailure('timeout', 'The server did not answer in time.', { cause: error });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return new McpFailure(
      'protocol',
      'The server answered with another type of content than was asked for.',
      {
        cause: error,
      },
    );
  }
  if (error instanceof ProtocolError) {
    return new McpFailure('protocol', `The server refused: ${cleanText(error.message, 500)}`, {
      cause: error,
    });
  }
  if ((error as Error)?.name === 'TimeoutError') {
    return new McpFailure('timeout', 'The server did not answer in time.', { cause: error });
  }
  return new McpFailure('protocol', 'The server does not keep to the protocol.', { cause: error });
}

/** The HTTP status in an error of the SDK, if it has one. */
export const httpStatusOf = (error: unknown): number | undefined => {
  if (error instanceof SdkHttpError) return error.status;
  // Errors of the SDK's older transport have the HTTP status as their code.
  const { name, code } = (error ?? {}) as { name?: string; code?: unknown };
  return name === 'SseError' && typeof code === 'number' ? code : undefined;
};
