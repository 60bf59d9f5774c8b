import { FileFailure } from './file-reader.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const NAMES = {
  'application/pdf': 'a PDF',
  [XLSX]: 'an XLSX workbook',
  'text/csv': 'CSV',
  'text/plain': 'plain text',
  'text/markdown': 'Markdown',
} as const;

export type FileType = 'pdf' | 'workbook' | 'csv' | 'text';

const BY_MIME_TYPE: Record<string, FileType> = {
  'application/pdf': 'pdf',
  [XLSX]: 'workbook',
  'text/csv': 'csv',
  'text/plain': 'text',
  'text/markdown': 'text',
};

/** First bytes of files that are not text, whatever their media type says. */
const SIGNATURES: { bytes: number[]; what: string }[] = [
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], what: 'a PDF' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'a ZIP archive, as XLSX workbooks are' },
  { bytes: [0x50, 0x4b, 0x05, 0x06], what: 'an empty ZIP archive' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: 'an old Office file, or one that a password protects' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: 'a PNG picture' },
  { bytes: [0xff, 0xd8, 0xff], what: 'a JPEG picture' },
  { bytes: [0x47, 0x49, 0x46, 0x38], what: 'a GIF picture' },
  { bytes: [0x1f, 0x8b], what: 'a gzip archive' },
];
/** A PDF may have other bytes in front of its header, up to this offset. */
const PDF_HEADER_WITHIN = 1024;

/** The type of a file by its media type. Throws `FileFailure` if the bytes are obviously of another type. */
export function fileTypeOf(mimeType: string, bytes: Uint8Array): FileType {
  const name = mimeType.split(';', 1)[0]!.trim().toLowerCase();
  const type = Object.hasOwn(BY_MIME_TYPE, name) ? BY_MIME_TYPE[name]! : undefined;
  if (type === undefined) {
    throw new FileFailure(
      'unsupported',
      `Files of the type ${name.slice(0, 100) || 'that is not named'} are not read. Supported are ${Object.keys(BY_MIME_TYPE).join(', ')}.`,
    );
  }
  const signature = SIGNATURES.find(({ bytes: start }) =>
    start.every((byte, index) => bytes[index] === byte),
  );
  const matches =
    type === 'pdf'
      ? Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-')
      : type === 'workbook'
        ? signature?.bytes[0] === 0x50
        : signature === undefined;
  if (matches) return type;
  throw new FileFailure(
    'mismatch',
    `The file is said to be ${NAMES[name as keyof typeof NAMES]}, but ${signature ? `it is ${signature.what}` : 'its content is something else'}.`,
  );
}
