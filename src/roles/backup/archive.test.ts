import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { BadBackup, type Entry, readArchive, writeArchive } from './archive.ts';

const BLOCK = 512;
const long = `files/${'a'.repeat(200)}/ünï %.png`;

/** The archive that all tests damage. */
let whole: Buffer;

async function makeArchive(names: string[]): Promise<Buffer> {
  const sink = new PassThrough();
  const bytes = buffer(sink);
  const archive = writeArchive(sink);
  await archive.add('backup.json', Buffer.from('{"format":1}'));
  for (const name of names) await archive.add(name, Buffer.from(`content of ${name}`), 'image/png');
  await archive.end({ rows: 3 });
  return await bytes;
}

async function read(bytes: Uint8Array): Promise<Entry[]> {
  const entries: Entry[] = [];
  // In small pieces, as a network delivers them.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, at) =>
    Buffer.from(bytes.subarray(at * 1_000, (at + 1) * 1_000)),
  );
  for await (const entry of readArchive(Readable.from(pieces))) entries.push(entry);
  return entries;
}

const failure = (bytes: Uint8Array) =>
  read(bytes).then(
    () => 'none',
    (error: unknown) => (error instanceof BadBackup ? error.message : String(error)),
  );

beforeAll(async () => {
  whole = await makeArchive(['tables/public.a/000001.copy.gz', long, 'files/z']);
});

test('entries are read as they were written, with names of any length and letter', async () => {
  const entries = await read(whole);
  expect(entries.map(({ name, type }) => [name, type])).toEqual([
    ['backup.json', ''],
    ['tables/public.a/000001.copy.gz', 'image/png'],
    [long, 'image/png'],
    ['files/z', 'image/png'],
    ['end.json', ''],
  ]);
  expect(entries[2]!.bytes.toString()).toBe(`content of ${long}`);
  expect(JSON.parse(entries[4]!.bytes.toString())).toMatchObject({ rows: 3, entries: 4 });
});

/** The blocks of entries: each begins with a pax header, and ends before the next one. */
function entriesOf(bytes: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    const type = bytes.toString('latin1', at + 156, at + 157);
    if (Number.isNaN(size)) break;
    if (type === 'x') starts.push(at);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

describe('every damage is found', () => {
  test('a changed byte in any entry', async () => {
    for (const name of ['"format":1', 'content of tables', 'content of files/z', '"rows": 3']) {
      const damaged = Buffer.from(whole);
      damaged[damaged.indexOf(name) + name.length - 1]! ^= 1;
      expect(await failure(damaged), name).toMatch(/is damaged: its hash differs\.$/);
    }
  });

  test('an end at any place', async () => {
    const end = whole.lastIndexOf('"chain"');
    for (let length = BLOCK; length < end; length += BLOCK)
      expect(await failure(whole.subarray(0, length)), `${length} bytes`).toMatch(
        /^(The archive is (cut off|damaged)|This is no backup)/,
      );
  });

  test('an entry that is missing, repeated, moved or of another backup', async () => {
    const parts = entriesOf(whole);
    const [head, a, b, c, end] = parts as [Buffer, Buffer, Buffer, Buffer, Buffer];
    const foreign = entriesOf(await makeArchive(['files/foreign']))[1]!;
    expect(await failure(Buffer.concat([head, a, c, end]))).toBe('The backup has 3 entries in place of 4.');
    expect(await failure(Buffer.concat([head, a, b, b, c, end]))).toBe(
      'The backup has 5 entries in place of 4.',
    );
    for (const changed of [
      [head, b, a, c, end],
      [head, a, foreign, c, end],
    ])
      expect(await failure(Buffer.concat(changed))).toMatch(/^The hash over all entries differs/);
    expect(await failure(Buffer.concat([head, a, b, c, end.subarray(0, -2 * BLOCK), foreign]))).toBe(
      'There is an entry after end.json: files/foreign.',
    );
  });

  test('another file', async () => {
    for (const other of [Buffer.alloc(0), Buffer.from('{}'), Buffer.alloc(5_000, 'x'), entriesOf(whole)[2]!])
      expect(await failure(other)).toMatch(/^This is no backup of Redpen/);
  });
});

test('a sink that fails ends the writing with its reason', async () => {
  const sink = new PassThrough({ highWaterMark: 100 });
  const archive = writeArchive(sink);
  await archive.add('backup.json', Buffer.from('{}'));
  const adding = archive.add('files/large', Buffer.alloc(1_000_000));
  sink.destroy(new Error('ENOSPC: no space left on device'));
  await expect(adding).rejects.toThrow('ENOSPC');
  await expect(archive.end({})).rejects.toThrow();
});
