import { FileFailure } from './file-reader.ts';

/** Decodes UTF-8, or UTF-16 with a byte order mark. Throws `FileFailure`. */
export function decodeUploadedText(bytes: Uint8Array): string {
  const text = decode(bytes);
  if (text.includes('\0')) {
    throw new FileFailure('unreadable', 'The file contains NUL characters, which no text does.');
  }
  return text.replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array): string {
  const charset =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (cause) {
    const message =
      charset === 'utf-8'
        ? 'The text is not valid UTF-8. Save it as UTF-8, or as UTF-16 with a byte order mark.'
        : 'The text begins like UTF-16 and is not valid UTF-16.';
    throw new FileFailure('unreadable', message, { cause });
  }
}
