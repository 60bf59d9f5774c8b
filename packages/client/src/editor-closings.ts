import { type ErrorStatus, parse, RedpenError } from './errors.ts';

/** Close codes of the service that a page may want to tell apart. The others say that it is busy. */
const CLOSINGS: Record<number, [status: ErrorStatus, code: string]> = {
  1009: ['INVALID_ARGUMENT', 'message-too-large'],
  4400: ['INVALID_ARGUMENT', 'malformed'],
  4401: ['UNAUTHENTICATED', 'token-ended'],
  4403: ['PERMISSION_DENIED', 'access-changed'],
  4408: ['UNAUTHENTICATED', 'token-late'],
  4410: ['NOT_FOUND', 'editor-deleted'],
  4413: ['FAILED_PRECONDITION', 'content-too-large'],
  4414: ['INVALID_ARGUMENT', 'nested-too-deep'],
  4415: ['INVALID_ARGUMENT', 'updates-missing'],
  4416: ['INVALID_ARGUMENT', 'awareness-too-large'],
  4436: ['RESOURCE_EXHAUSTED', 'storage-full'],
};

/** Closings that come again as long as the client sends the same. */
const OF_CONTENT = new Set([1009, 4400, 4413, 4414, 4415, 4416, 4436]);
export const isOfContent = (code: number): boolean => OF_CONTENT.has(code);

/** The error for a connection that the service has closed, or that was lost. */
export function closingError(closeCode: number, reason: string): RedpenError {
  const busy: [ErrorStatus, string] =
    closeCode >= 4429 ? ['RESOURCE_EXHAUSTED', 'busy'] : ['UNAVAILABLE', 'connection-lost'];
  const [status, code] = CLOSINGS[closeCode] ?? busy;
  const words =
    closeCode === 1009
      ? 'A change has more than the 1 MiB that the service takes at once.'
      : 'The connection was lost.';
  return new RedpenError(status, reason || words, { code });
}

/** What the service says before it closes a connection to a document that does not exist any more. */
export type Notice = { event: 'document.delete' | 'document.migrate'; newDocumentId?: string | undefined };

/** Undefined for messages about anything else. */
export function noticeOf(payload: string): Notice | undefined {
  const notice = parse(payload) as Notice | undefined;
  return notice?.event === 'document.delete' || notice?.event === 'document.migrate' ? notice : undefined;
}

const GONE = {
  'document.delete': ['document-deleted', 'The document was deleted.'],
  'document.migrate': ['document-migrated', 'The document has another id now.'],
} as const;

/** The error for a document that is gone; without a notice, it is not known why. */
export function goneError(notice?: Notice): RedpenError {
  const unknown = ['document-gone', 'The document was deleted, or has another id now.'] as const;
  const [code, message] = notice ? GONE[notice.event] : unknown;
  return new RedpenError('NOT_FOUND', message, { code });
}
