export interface PictureSize {
  width: number;
  height: number;
}

type Reader = (bytes: Buffer) => PictureSize | undefined;

const latin = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

const png: Reader = (bytes) =>
  bytes.length >= 24 && latin(bytes, 12, 16) === 'IHDR'
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined;

const gif: Reader = (bytes) =>
  bytes.length >= 10 ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined;

const webp: Reader = (bytes) => {
  if (bytes.length < 30) return undefined;
  switch (latin(bytes, 12, 16)) {
    case 'VP8X':
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8 ': {
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    }
    default:
      return undefined;
  }
};

/** Markers of JPEG without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Start-of-frame markers, which hold the size; the three others of the range are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The size as it is shown: cameras store turned pictures and say so in the Exif data. */
const jpeg: Reader = (bytes) => {
  let isTurned = false;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    // Fill bytes may precede a marker.
    if (marker === 0xff || isBare(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return isTurned ? { width: height, height: width } : { width, height };
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    if (marker === 0xe1) isTurned ||= isTurnedByExif(bytes.subarray(at + 4, at + 2 + length));
    at += 2 + length;
  }
  return undefined;
};

const ORIENTATION = 0x0112;

/** True if the Exif data of a segment turns the picture by a quarter: orientations 5 to 8. */
function isTurnedByExif(segment: Buffer): boolean {
  if (latin(segment, 0, 6) !== 'Exif\0\0' || segment.length < 14) return false;
  const tiff = segment.subarray(6);
  const isLittle = latin(tiff, 0, 2) === 'II';
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = Math.min(short(directory), 1_000);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (short(at) === ORIENTATION) return short(at + 8) >= 5 && short(at + 8) <= 8;
  }
  return false;
}

/** The boxes of AVIF that hold sizes are at the front; several belong to the parts of a picture. */
const AVIF_HEAD_BYTES = 65_536;

const avif: Reader = (bytes) => {
  const head = bytes.subarray(0, AVIF_HEAD_BYTES);
  let largest: PictureSize | undefined;
  for (let at = head.indexOf('ispe', 4, 'latin1'); at !== -1; at = head.indexOf('ispe', at + 4, 'latin1')) {
    if (head.readUInt32BE(at - 4) !== 20 || at + 16 > head.length) continue;
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
};

const READERS: Record<string, Reader> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
  'image/avif': avif,
};

/** Pictures that browsers show, and that run nothing. */
export const isShownPicture = (mimeType: string): boolean => Object.hasOwn(READERS, mimeType);

/** The size of a picture by its header, without decoding it; undefined if there is none. */
export const pictureSize = (mimeType: string, bytes: Uint8Array): PictureSize | undefined => {
  const size = READERS[mimeType]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return size && size.width > 0 && size.height > 0 ? size : undefined;
};
