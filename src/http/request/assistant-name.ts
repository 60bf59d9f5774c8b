import type { IncomingHttpHeaders } from 'node:http';
import { invalidArgument } from '../../lib/errors.ts';

const HEADER = 'x-redpen-assistant';
const MAX_LENGTH = 100;
/** Control characters, line separators, and marks that reorder the text around them. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const PRINTABLE_ASCII = /^[\x20-\x7E]*$/;

/**
 * The name of the AI assistant that a request names in its header; undefined for a request without it. Throws
 * INVALID_ARGUMENT for a header that is no name.
 */
export function assistantNameOf(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers[HEADER];
  if (sent === undefined) return undefined;
  const name = typeof sent === 'string' ? decoded(sent)?.trim() : undefined;
  if (!name || [...name].length > MAX_LENGTH || UNSHOWN.test(name))
    throw invalidArgument(
      `The ${HEADER} header must be a name of 1 to ${MAX_LENGTH} characters without control characters. Characters outside of ASCII, and the percent sign, are percent-encoded as UTF-8.`,
    );
  return name;
}

function decoded(value: string): string | undefined {
  // Node reads header bytes as Latin-1, so UTF-8 that is not encoded would be garbled.
  if (!PRINTABLE_ASCII.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
