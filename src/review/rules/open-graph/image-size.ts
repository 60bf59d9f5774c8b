export interface ImageSize {
  type: 'png' | 'jpeg' | 'gif' | 'webp' | 'svg' | 'avif' | 'bmp' | 'ico';
  /** Absent if the size lies behind the part that was read. */
  width?: number;
  height?: number;
}

/**
 * Type and size of a picture from the beginning of its file; undefined for any other file. The package `image-size`
 * throws if the size lies behind the part that was read, and does not return the type either.
 */
export function imageSizeOf(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') {
    return bytes.length < 24
      ? { type: 'png' }
      : { type: 'png', width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (/^GIF8[79]a/.test(text(0, 6))) {
    if (bytes.length < 10) return { type: 'gif' };
    return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return webpSize(view, text);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(view);
  if (/^BM/.test(text(0, 2)) && bytes.length > 26) {
    return { type: 'bmp', width: view.getUint32(18, true), height: Math.abs(view.getInt32(22, true)) };
  }
  if (text(4, 8) === 'ftyp' && /avi[fs]|mif1/.test(text(8, 32))) return avifSize(bytes, view, text);
  if (text(0, 4) === '\0\0\x01\0') return { type: 'ico' };
  return /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(
    Buffer.from(bytes.subarray(0, 1_000)).toString('utf8'),
  )
    ? { type: 'svg' }
    : undefined;
}

function webpSize(view: DataView, text: (from: number, to: number) => string): ImageSize {
  const form = text(12, 16);
  const type = 'webp';
  if (view.byteLength < 30) return { type };
  const int24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  if (form === 'VP8X') return { type, width: int24(24) + 1, height: int24(27) + 1 };
  if (form === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** The size is in the first frame header, after any number of other segments. */
function jpegSize(view: DataView): ImageSize {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) break;
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    const isBare = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isBare ? (marker === 0xff ? 1 : 2) : 2 + view.getUint16(at + 2);
  }
  return { type: 'jpeg' };
}

function avifSize(bytes: Uint8Array, view: DataView, text: (from: number, to: number) => string): ImageSize {
  const at = text(0, Math.min(bytes.length, 4_000)).indexOf('ispe');
  if (at < 0 || at + 16 > bytes.length) return { type: 'avif' };
  return { type: 'avif', width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
}
