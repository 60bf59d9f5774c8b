interface Format {
  /** A noun, for messages. */
  what: string;
  /** Media types under which such files are announced. */
  types: readonly string[];
  matches(head: Buffer): boolean;
}

const at = (offset: number, text: string) => (head: Buffer) =>
  head.toString('latin1', offset, offset + text.length) === text;
const both = (one: (head: Buffer) => boolean, other: (head: Buffer) => boolean) => (head: Buffer) =>
  one(head) && other(head);
const anyOf = (...texts: string[]) => {
  const matchers = texts.map((text) => at(0, text));
  return (head: Buffer) => matchers.some((matches) => matches(head));
};
/** Files of the ISO base media format, by their brand. */
const branded = (brand: RegExp) => (head: Buffer) =>
  at(4, 'ftyp')(head) && brand.test(head.toString('latin1', 8, 12));

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** Formats by their first bytes; the first that matches counts. */
const FORMATS: readonly Format[] = [
  { what: 'a PNG picture', types: ['image/png', 'image/apng'], matches: at(0, '\x89PNG\r\n\x1a\n') },
  { what: 'a JPEG picture', types: ['image/jpeg'], matches: at(0, '\xff\xd8\xff') },
  { what: 'a GIF picture', types: ['image/gif'], matches: anyOf('GIF87a', 'GIF89a') },
  { what: 'a WebP picture', types: ['image/webp'], matches: both(at(0, 'RIFF'), at(8, 'WEBP')) },
  { what: 'an AVIF picture', types: ['image/avif'], matches: branded(/^avi[fs]$/) },
  {
    what: 'an HEIF picture',
    types: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    matches: branded(/^(hei|hev|mif1|msf1)/),
  },
  { what: 'a TIFF picture', types: ['image/tiff'], matches: anyOf('II*\0', 'MM\0*') },
  { what: 'a QuickTime film', types: ['video/quicktime'], matches: branded(/^qt {2}$/) },
  { what: 'an M4A recording', types: ['audio/mp4', 'audio/x-m4a'], matches: branded(/^M4[AB] $/) },
  {
    what: 'an MP4 film',
    types: ['video/mp4', 'audio/mp4', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'],
    matches: at(4, 'ftyp'),
  },
  {
    what: 'a WebM or Matroska film',
    types: ['video/webm', 'audio/webm', 'video/x-matroska', 'video/matroska', 'audio/x-matroska'],
    matches: at(0, '\x1aE\xdf\xa3'),
  },
  {
    what: 'an AVI film',
    types: ['video/x-msvideo', 'video/avi'],
    matches: both(at(0, 'RIFF'), at(8, 'AVI ')),
  },
  {
    what: 'a WAV recording',
    types: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    matches: both(at(0, 'RIFF'), at(8, 'WAVE')),
  },
  {
    what: 'an Ogg recording',
    types: ['audio/ogg', 'video/ogg', 'application/ogg', 'audio/opus'],
    matches: at(0, 'OggS'),
  },
  { what: 'a FLAC recording', types: ['audio/flac', 'audio/x-flac'], matches: at(0, 'fLaC') },
  {
    what: 'an MP3 recording',
    types: ['audio/mpeg', 'audio/mp3'],
    matches: (head) => at(0, 'ID3')(head) || (head[0] === 0xff && (head[1]! & 0xe6) === 0xe2),
  },
  { what: 'a PDF', types: ['application/pdf'], matches: at(0, '%PDF-') },
  {
    what: 'a ZIP archive',
    types: [
      'application/zip',
      'application/x-zip-compressed',
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
      `${OPEN_DOCUMENT}.text`,
      `${OPEN_DOCUMENT}.spreadsheet`,
      `${OPEN_DOCUMENT}.presentation`,
      'application/epub+zip',
    ],
    matches: anyOf('PK\x03\x04', 'PK\x05\x06'),
  },
  { what: 'a gzip archive', types: ['application/gzip', 'application/x-gzip'], matches: at(0, '\x1f\x8b') },
  { what: 'a 7z archive', types: ['application/x-7z-compressed'], matches: at(0, "7z\xbc\xaf'\x1c") },
  {
    what: 'a RAR archive',
    types: ['application/vnd.rar', 'application/x-rar-compressed'],
    matches: at(0, 'Rar!\x1a\x07'),
  },
  {
    what: 'an old Office file',
    types: [
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.ms-outlook',
      // With a password, the newer formats are in this container.
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
    ],
    matches: at(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  },
  { what: 'a program', types: [], matches: anyOf('MZ', '\x7fELF', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe') },
];

const HEAD_BYTES = 64;
const KNOWN = new Set(FORMATS.flatMap(({ types }) => types));
/** Types of plain text that browsers never run. */
const PLAIN = new Set(['text/plain', 'text/csv', 'text/markdown']);
/** Types whose files are text. */
const TEXT = /^text\/|[/+](json|xml)$|^application\/(javascript|ecmascript|xhtml\+xml|sql|yaml|toml)$/;

const isUtf16 = anyOf('\xff\xfe', '\xfe\xff');

/** A sentence about bytes that are not of the announced type, or undefined. The type is judged by the first bytes. */
export function typeMismatch(mimeType: string, bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
  const found = FORMATS.find(({ matches }) => matches(head));
  if (mimeType === 'application/octet-stream') return undefined;
  const isText = TEXT.test(mimeType);
  if (found?.types.includes(mimeType)) return undefined;
  if (KNOWN.has(mimeType) || (found && (isText || /^(image|audio|video|font)\//.test(mimeType)))) {
    return `The file was announced as ${mimeType}, but ${found ? `it is ${found.what}` : 'its content is something else'}.`;
  }
  if (isText && bytes.includes(0) && !isUtf16(head))
    return `The file was announced as ${mimeType}, but it is not text.`;
  return undefined;
}

/** The type with which a file is sent: that of its content if it was checked, and otherwise one that browsers only save. */
export const sentType = (mimeType: string): string =>
  KNOWN.has(mimeType) || PLAIN.has(mimeType) ? mimeType : 'application/octet-stream';
