import { createHash, hash } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header, pack } from 'tar-stream';
import { z } from 'zod';

/**
 * A backup is a tar archive (POSIX pax). Its first entry is `backup.json` and its last one `end.json`; between them are the
 * rows of the tables, in the text format of COPY and compressed with gzip, and the stored files as they are. Each entry has
 * its SHA-256 in the pax header `REDPEN.sha256`, and `end.json` has the number of entries before it and a hash over their
 * names, types and hashes in order. So a damaged, missing, added or moved entry is found.
 */
export const HEAD = 'backup.json';
export const END = 'end.json';
export const KEY_ENTRY = 'keys/master.key';
export const FILES = 'files/';
const TABLES = 'tables/';

const HASH_HEADER = 'REDPEN.sha256';
const TYPE_HEADER = 'REDPEN.type';

/** Larger than any stored file or row; a damaged length is refused before memory is taken for it. */
const MAX_ENTRY_BYTES = 2 ** 31 - 1;

/** A part of a table's rows: its table's name with schema, and the number of the part. */
export const tableEntry = (table: string, part: number): string =>
  `${TABLES}${table}/${String(part).padStart(6, '0')}.copy.gz`;

/** The table of an entry; undefined for other entries. */
export const tableOfEntry = (name: string): string | undefined =>
  name.startsWith(TABLES) ? name.slice(TABLES.length, name.lastIndexOf('/')) : undefined;

const sealSchema = z.object({ entries: z.int().min(0), chain: z.string() });

export interface Entry {
  name: string;
  /** MIME type of a stored file; empty for others. */
  type: string;
  bytes: Buffer;
}

/** The backup cannot be read; the message says why, for the operator. */
export class BadBackup extends Error {
  override name = 'BadBackup';
}

/** Hash over all entries in order. */
function createChain() {
  let chain = '';
  let entries = 0;
  return {
    add(name: string, type: string, sha256: string) {
      chain = hash('sha256', JSON.stringify([chain, name, type, sha256]));
      entries++;
    },
    seal: () => ({ entries, chain }),
  };
}

export interface ArchiveWriter {
  add(name: string, bytes: Uint8Array, type?: string): Promise<void>;
  /** Writes the last entry and ends the archive. Returns its size, and the SHA-256 of all of its bytes. */
  end(content: object): Promise<{ bytes: number; sha256: string }>;
  /** Ends the archive without its last entry, so that it is no backup. */
  abort(error: Error): void;
}

/** Writes entries to `sink` as fast as it takes them, until the signal, also if it takes none. */
export function writeArchive(sink: Writable, signal?: AbortSignal): ArchiveWriter {
  const archive = pack();
  const chain = createChain();
  const whole = createHash('sha256');
  let written = 0;
  const read = async function* () {
    // The archive is a stream of another library: it is iterated, as a pipeline does not see its end.
    for await (const chunk of archive as AsyncIterable<Buffer>) {
      whole.update(chunk);
      written += chunk.length;
      yield chunk;
    }
  };
  const piping = pipeline(read, sink, { signal });
  // The failure is reported by the entry that is written, or by `end`.
  piping.catch(() => {});

  const addEntry = async (name: string, bytes: Uint8Array, type: string) => {
    const sha256 = hash('sha256', bytes);
    const header = {
      name,
      size: bytes.length,
      mode: 0o600,
      pax: { [HASH_HEADER]: sha256, ...(type !== '' && { [TYPE_HEADER]: type }) },
    };
    const added = new Promise<void>((done, fail) => {
      const entry = archive.entry(header, (error) => (error ? fail(error) : done()));
      entry.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    });
    // A sink that fails takes no more bytes, so that the entry ends late or with a reason of its own.
    const failing = piping.then(() => Promise.reject(new Error('The archive has ended.')));
    await Promise.race([added.catch(() => failing), failing]);
    return sha256;
  };

  return {
    async add(name, bytes, type = '') {
      chain.add(name, type, await addEntry(name, bytes, type));
    },
    async end(content) {
      await addEntry(END, Buffer.from(`${JSON.stringify({ ...content, ...chain.seal() }, null, 2)}\n`), '');
      archive.finalize();
      await piping;
      return { bytes: written, sha256: whole.digest('hex') };
    },
    abort: (error) => archive.destroy(error),
  };
}

/**
 * Reads the entries of a backup one after the other, `end.json` included, and checks each against its hash and all against
 * the hash over them. Throws `BadBackup`.
 */
export async function* readArchive(source: Readable): AsyncGenerator<Entry> {
  const archive = extract();
  source.once('error', (error) => archive.destroy(error));
  source.pipe(archive);
  const chain = createChain();
  let last: Entry | undefined;
  try {
    for await (const stream of archive) {
      if (last?.name === END) throw new BadBackup(`There is an entry after ${END}: ${stream.header.name}.`);
      const entry = await readEntry(stream.header, stream as unknown as AsyncIterable<Buffer>);
      if (last === undefined && entry.name !== HEAD) throw noBackup();
      if (entry.name === END) checkSeal(entry, chain.seal());
      else chain.add(entry.name, entry.type, hash('sha256', entry.bytes));
      last = entry;
      yield entry;
    }
  } catch (error) {
    if (error instanceof BadBackup || !isFormatError(error)) throw error;
    if (last === undefined) throw noBackup();
    throw new BadBackup(`The archive is damaged: ${(error as Error).message}.`, { cause: error });
  } finally {
    source.destroy();
    archive.destroy();
  }
  if (last === undefined) throw noBackup();
  if (last.name !== END) throw new BadBackup('The archive is cut off: its last entry is missing.');
}

const noBackup = () => new BadBackup(`This is no backup of Redpen: it does not begin with ${HEAD}.`);

/** Errors of the tar reader have no code, unlike those of files and networks. */
const isFormatError = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === undefined;

async function readEntry(header: Header, stream: AsyncIterable<Buffer>): Promise<Entry> {
  const { name, size } = header;
  const pax = (header.pax ?? {}) as Record<string, string>;
  if (size > MAX_ENTRY_BYTES) throw new BadBackup(`${name} has ${size} bytes, which no entry has.`);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (hash('sha256', bytes) !== pax[HASH_HEADER]) {
    throw name === HEAD || pax[HASH_HEADER] !== undefined
      ? new BadBackup(`${name} is damaged: its hash differs.`)
      : noBackup();
  }
  return { name, type: pax[TYPE_HEADER] ?? '', bytes };
}

function checkSeal(end: Entry, found: z.output<typeof sealSchema>): void {
  const { entries, chain } = parseJson(end, sealSchema);
  if (entries !== found.entries)
    throw new BadBackup(`The backup has ${found.entries} entries in place of ${entries}.`);
  if (chain !== found.chain)
    throw new BadBackup('The hash over all entries differs: entries were changed, added or moved.');
}

/** The content of a JSON entry. */
export function parseJson<T>(entry: Entry, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(entry.bytes.toString()));
  } catch (error) {
    throw new BadBackup(`${entry.name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
