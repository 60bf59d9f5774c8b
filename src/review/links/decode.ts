/** Reads bytes as a browser would: byte order mark, then the header's charset, then the page's own word. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  return decoderOf(bytes, contentType).decode(bytes);
}

/** The charset that a browser reads the bytes in. */
export const charsetNamed = (bytes: Uint8Array, contentType: string): string =>
  decoderOf(bytes, contentType).encoding;

function decoderOf(bytes: Uint8Array, contentType: string): TextDecoder {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? declaredIn(bytes) ?? 'utf-8';
  return decoderFor(label) ?? new TextDecoder();
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

export const charsetOf = (text: string) => /charset\s*=\s*["']?\s*([^\s"';,>/]+)/i.exec(text)?.[1];

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString(
    'latin1',
  );
  const declared =
    charsetOf(/<meta[^>]*charset[^>]*>/i.exec(head)?.[0] ?? '') ?? /@charset "([^"]+)"/.exec(head)?.[1];
  // Words that could be read at all were not written in UTF-16, whatever they say.
  return declared && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
