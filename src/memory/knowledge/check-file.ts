import { invalidArgument } from '../../lib/errors.ts';
import { decodeUploadedText } from '../../outside/files/decode-uploaded-text.ts';
import { FileFailure } from '../../outside/files/file-reader.ts';
import { fileTypeOf } from '../../outside/files/file-type.ts';

/** Limit of a file inside a request, decoded. */
export const MAX_INLINE_BYTES = 5_242_880;
/** Limit of an uploaded file. */
export const MAX_UPLOAD_BYTES = 31_457_280;

const TEXT_TYPES: readonly string[] = ['text/csv', 'text/plain', 'text/markdown'];

/** Checks that the bytes match the MIME type. Throws INVALID_ARGUMENT if they plainly do not. */
export function checkFileType(file: { bytes: Uint8Array; mimeType: string }): void {
  try {
    fileTypeOf(file.mimeType, file.bytes);
    if (TEXT_TYPES.includes(file.mimeType)) decodeUploadedText(file.bytes);
  } catch (error) {
    if (error instanceof FileFailure) throw invalidArgument(error.message);
    throw error;
  }
}
