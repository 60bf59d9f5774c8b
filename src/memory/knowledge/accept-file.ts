import { sha256 } from '../../lib/crypto.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { decodeText } from '../../outside/files/decode-text.ts';
import { FileFailure } from '../../outside/files/file-reader.ts';
import { fileTypeOf } from '../../outside/files/file-type.ts';

/** Of a file within a request, decoded. */
export const MAX_INLINE_BYTES = 5_242_880;
/** Of a file that is uploaded by itself. */
export const MAX_UPLOAD_BYTES = 31_457_280;

const IN_TEXT: readonly string[] = ['text/csv', 'text/plain', 'text/markdown'];

/** The digest of a file whose bytes are of its type. Throws INVALID_ARGUMENT where they are plainly not. */
export function acceptFile(file: { bytes: Uint8Array; mimeType: string }): string {
  try {
    fileTypeOf(file.mimeType, file.bytes);
    if (IN_TEXT.includes(file.mimeType)) decodeText(file.bytes);
  } catch (error) {
    if (error instanceof FileFailure) throw invalidArgument(error.message);
    throw error;
  }
  return sha256(file.bytes);
}
