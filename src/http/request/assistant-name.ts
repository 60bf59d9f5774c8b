import type { IncomingHttpHeaders } from 'node:http';
import { invalidArgument } from '../../lib/errors.ts';
import { cutText } from '../../lib/text/cut-text.ts';

/** The header by which a request says that an AI assistant acts for its caller. */
export const ASSISTANT_HEADER = 'x-redpen-assistant';
/** The name of an assistant that gives none. */
const UNNAMED = 'AI assistant';
const MAX_LENGTH = 100;
/** Control characters, line separators, and marks that reorder the text around them. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const PRINTABLE_ASCII = /^[\x20-\x7E]*$/;

/**
 * The name of the AI assistant that a request names in its header; undefined for a request without it. Throws
 * INVALID_ARGUMENT for a header that is no name.
 */
export function assistantNameOf(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers[ASSISTANT_HEADER];
  if (sent === undefined) return undefined;
  const name = typeof sent === 'string' ? decoded(sent)?.trim() : undefined;
  if (!name || [...name].length > MAX_LENGTH || UNSHOWN.test(name))
    throw invalidArgument(
      `The ${ASSISTANT_HEADER} header must be a name of 1 to ${MAX_LENGTH} characters without control characters. Characters outside of ASCII, and the percent sign, are percent-encoded as UTF-8.`,
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

/** A name that a client or a person chose, as the mark of an assistant: on one line, and no longer than a header may be. */
export const assistantName = (given: string | undefined): string =>
  cutText(
    (given ?? '')
      .normalize('NFC')
      .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
      .trim(),
    MAX_LENGTH,
  )
    .toWellFormed()
    .trim() || UNNAMED;
