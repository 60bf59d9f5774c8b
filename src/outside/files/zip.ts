import { crc32, inflateRawSync } from 'node:zlib';
import {
  INFLATION_FLOOR_BYTES,
  MAX_INFLATED_BYTES,
  MAX_INFLATION_RATIO,
  MAX_ZIP_ENTRIES,
} from './file-limits.ts';
import { FileFailure } from './file-reader.ts';

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const IN_DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const ENCRYPTED = 1;

const damaged = (cause?: unknown) =>
  new FileFailure('unreadable', 'The workbook cannot be read. It may be damaged or cut off.', { cause });
const tooLarge = (message: string) => new FileFailure('too-large', message);

interface Entry {
  name: string;
  method: number;
  compressedBytes: number;
  offset: number;
}

/**
 * Unpacks the wanted entries of a ZIP archive, by name. A zip bomb is refused while it is inflated: sizes that entries
 * declare are not trusted, inflated bytes are counted per entry, as a ratio, and over all entries. Throws `FileFailure`.
 *
 * It is ours and not yauzl, which checks an entry against its declared size and has no limit over all entries, so the
 * counting would still be ours; and since it only reads, `packStored` would be too.
 */
export function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): Map<string, Buffer> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const inflated = new Map<string, Buffer>();
  let left = MAX_INFLATED_BYTES;
  try {
    for (const entry of listEntries(archive)) {
      if (!isWanted(entry.name)) continue;
      const content = inflate(archive, entry, left);
      left -= content.length;
      inflated.set(entry.name, content);
    }
  } catch (error) {
    throw error instanceof FileFailure ? error : damaged(error);
  }
  return inflated;
}

function listEntries(archive: Buffer): Entry[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > MAX_ZIP_ENTRIES) {
    throw tooLarge(`The workbook is an archive of more than ${MAX_ZIP_ENTRIES} files.`);
  }
  const entries: Entry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== IN_DIRECTORY) throw damaged();
    if ((archive.readUInt16LE(at + 8) & ENCRYPTED) !== 0) {
      throw new FileFailure('unreadable', 'The workbook is protected by a password.');
    }
    const nameBytes = archive.readUInt16LE(at + 28);
    entries.push({
      name: archive.toString('utf8', at + 46, at + 46 + nameBytes),
      method: archive.readUInt16LE(at + 10),
      compressedBytes: archive.readUInt32LE(at + 20),
      offset: archive.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = archive.length - END_BYTES; at >= lowest; at--) {
    if (archive.readUInt32LE(at) === END) return at;
  }
  throw damaged();
}

function inflate(archive: Buffer, entry: Entry, left: number): Buffer {
  if (archive.readUInt32LE(entry.offset) !== LOCAL) throw damaged();
  const start =
    entry.offset + 30 + archive.readUInt16LE(entry.offset + 26) + archive.readUInt16LE(entry.offset + 28);
  const compressed = archive.subarray(start, start + entry.compressedBytes);
  if (compressed.length < entry.compressedBytes) throw damaged();
  if (entry.method !== 0 && entry.method !== 8) throw damaged();

  const byRatio = Math.max(INFLATION_FLOOR_BYTES, entry.compressedBytes * MAX_INFLATION_RATIO);
  const max = Math.min(left, byRatio);
  const refuse = () =>
    tooLarge(
      max === left
        ? `The workbook contains more than ${MAX_INFLATED_BYTES / 1024 / 1024} MB when it is unpacked.`
        : `The workbook holds data that grows more than ${MAX_INFLATION_RATIO} times when it is unpacked.`,
    );
  if (entry.method === 0) {
    if (compressed.length > left) throw refuse();
    return compressed;
  }
  if (max === 0) throw refuse();
  try {
    return inflateRawSync(compressed, { maxOutputLength: max });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? refuse() : damaged(error);
  }
}

/** Packs entries into an archive without compression, for a library that only reads archives. */
export function packStored(entries: Iterable<[name: string, content: Buffer]>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const nameBytes = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([signature(LOCAL), fields, nameBytes, content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(signature(IN_DIRECTORY), Buffer.from([20, 0]), fields, rest, nameBytes);
    parts.push(local);
    offset += local.length;
  }
  const count = directory.length / 5;
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(table.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, table, signature(END), end]);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
