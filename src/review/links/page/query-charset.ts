/**
 * Percent-encodes the query of an address in the charset of its page, as browsers do. Paths and fragments are always
 * UTF-8.
 */
export function encodeQuery(address: string, charset: string): string {
  if (/^utf-/i.test(charset)) return address;
  const end = address.indexOf('#');
  const before = end === -1 ? address : address.slice(0, end);
  const start = before.indexOf('?');
  if (start === -1 || !/[^\0-\x7f]/.test(before.slice(start))) return address;
  const bytes = bytesIn(charset);
  if (bytes.size === 0) return address;
  const query = before.slice(start).replace(/[^\0-\x7f]/gu, (character) => {
    return bytes.get(character) ?? encodeURIComponent(`&#${character.codePointAt(0)};`);
  });
  return before.slice(0, start) + query + (end === -1 ? '' : address.slice(end));
}

const known = new Map<string, Map<string, string>>();

/** Percent-encoded bytes by character. The table is made by decoding every byte sequence: Node encodes UTF-8 only. */
function bytesIn(charset: string): Map<string, string> {
  const label = charset.toLowerCase();
  let table = known.get(label);
  if (!table) {
    table = readTable(label);
    known.set(label, table);
  }
  return table;
}

function readTable(charset: string): Map<string, string> {
  const table = new Map<string, string>();
  const decoder = decoderFor(charset);
  if (!decoder) return table;
  const learn = (...bytes: number[]) => {
    const text = decode(decoder, bytes);
    if (text === undefined || [...text].length !== 1 || table.has(text)) return;
    table.set(text, bytes.map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''));
  };
  for (let byte = 0x80; byte <= 0xff; byte++) learn(byte);
  if (!/^(gb|big5|euc-|shift_jis)/.test(decoder.encoding)) return table;
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) learn(lead, trail);
  }
  return table;
}

function decoderFor(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

function decode(decoder: TextDecoder, bytes: number[]): string | undefined {
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
