/** Decodes HTML or CSS as browsers do: by the byte order mark, the header, or a declaration in the text. */
export const decodeText = (bytes: Uint8Array, contentType: string): string =>
  documentDecoder(bytes, contentType).decode(bytes);

/** The charset in which browsers read the bytes of a document. */
export const charsetOf = (bytes: Uint8Array, contentType: string): string =>
  documentDecoder(bytes, contentType).encoding;

/** Decodes text of any other kind: by the byte order mark or the header. */
export const decodePlainText = (bytes: Uint8Array, contentType: string): string =>
  decoderFor(byteOrderMark(bytes) ?? charsetIn(contentType)).decode(bytes);

const documentDecoder = (bytes: Uint8Array, contentType: string): TextDecoder =>
  decoderFor(byteOrderMark(bytes) ?? charsetIn(contentType) ?? declaredIn(bytes));

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

/** The charset that a content type or a `meta` element names. */
export const charsetIn = (text: string) => /charset\s*=\s*["']?\s*([^\s"';,>/]+)/i.exec(text)?.[1];

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString(
    'latin1',
  );
  const declared =
    charsetIn(/<meta[^>]*charset[^>]*>/i.exec(head)?.[0] ?? '') ?? /@charset "([^"]+)"/.exec(head)?.[1];
  // A declaration that is legible as Latin-1 was not written in UTF-16, whatever it says.
  return declared && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // An unknown charset is mostly a misspelling of UTF-8.
    return new TextDecoder();
  }
}
