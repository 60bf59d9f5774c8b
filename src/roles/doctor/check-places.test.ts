import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startFakeS3 } from '../../outside/storage/testing-s3.ts';
import { checkBlobs } from './check-blobs.ts';
import { checkClock, createClocks } from './check-clock.ts';
import { checkDisk } from './check-disk.ts';
import { builtAt, checkProgram } from './check-program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-places-'));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key-secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const GB = 1_073_741_824;
const data = { place: 'data', name: 'the data folder' };
const disk = (freeBytes: number, reserveMb = 500) =>
  checkDisk({
    places: [{ ...data, folder }],
    reserveMb,
    measure: async () => ({ freeBytes, totalBytes: 100 * GB, device: 1 }),
  });

test('a disk is compared with its reserve', async () => {
  expect(await disk(20 * GB)).toMatchObject({
    status: 'ok',
    found: `The disk of the data folder (${folder}) has 20.0 GB free.`,
  });
  expect(await disk(0.6 * GB)).toMatchObject({ status: 'warning' });
  expect(await disk(0.1 * GB)).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('REDPEN_DISK_RESERVE is 500 MB'),
  });
  expect(await disk(0.1 * GB, 0)).toMatchObject({ status: 'ok' });
});

test('a missing folder is checked at its nearest parent, and not created', async () => {
  const missing = join(folder, 'not', 'there');
  const places = [{ ...data, folder: missing }];
  expect(await checkDisk({ places, reserveMb: 0 })).toMatchObject({ status: 'ok' });
  const measureReadOnly = async () => {
    throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
  };
  expect(await checkDisk({ places, reserveMb: 0, measure: measureReadOnly })).toMatchObject({
    status: 'failed',
    found: `No files can be written for the data folder in ${missing}: EROFS: read-only file system.`,
    advice: `It is set by REDPEN_DATA_DIR. Allow this user to write to ${folder}, or set REDPEN_DATA_DIR to another folder.`,
    brief: 'No files can be written for the data folder (REDPEN_DATA_DIR).',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a file is written, read and deleted, and nothing is left behind', async () => {
  const kept = mkdtempSync(join(folder, 'kept-'));
  const address = pathToFileURL(kept).href;
  const found = await checkBlobs({ address, setting: 'REDPEN_BLOB_URL', mayMake: true, timeoutMs: 60_000 });
  expect(found).toMatchObject({ status: 'ok', found: expect.stringContaining(kept) });
  expect(readdirSync(kept)).toEqual([]);
});

test('a missing folder of files is created only by the service', async () => {
  const address = pathToFileURL(join(folder, 'later')).href;
  const options = { address, setting: 'REDPEN_BLOB_URL', timeoutMs: 60_000 };
  expect(await checkBlobs({ ...options, mayMake: false })).toMatchObject({ status: 'ok' });
  expect(readdirSync(folder)).not.toContain('later');
  expect(await checkBlobs({ ...options, mayMake: true })).toMatchObject({ status: 'ok' });
  expect(readdirSync(folder)).toContain('later');
});

test.each([true, false])('a folder of files that cannot exist is reported (mayMake: %s)', async (mayMake) => {
  writeFileSync(join(folder, 'file'), '');
  const path = join(folder, 'file', 'blobs');
  const found = await checkBlobs({
    address: pathToFileURL(path).href,
    setting: 'REDPEN_BLOB_URL',
    mayMake,
    timeoutMs: 60_000,
  });
  expect(found).toMatchObject({
    status: 'failed',
    found: expect.stringContaining(path),
    advice: expect.stringContaining('REDPEN_BLOB_URL'),
    brief: expect.stringMatching(/^Files cannot be kept \(REDPEN_BLOB_URL\)/),
  });
  expect(found.brief).not.toContain(folder);
});

test('a bucket is checked like a folder, and its date is noted', async () => {
  const s3 = await startFakeS3();
  const address = (endpoint: string) =>
    `s3://blobs/some?endpoint=${encodeURIComponent(endpoint)}&forcePathStyle=true`;
  const clocks = createClocks();
  const options = {
    setting: 'REDPEN_BLOB_URL',
    mayMake: false,
    timeoutMs: 60_000,
    onDate: (date: string) => clocks.noteDate('the bucket', date),
  };
  expect(await checkBlobs({ ...options, address: address(s3.url) })).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('s3://blobs/some'),
  });
  expect(s3.objects.size).toBe(0);
  expect(clocks.readings()).toEqual([{ source: 'the bucket', aheadMs: expect.any(Number) }]);
  await s3.close();
  expect(await checkBlobs({ ...options, address: address(s3.url) })).toMatchObject({
    status: 'failed',
    brief: 'Files cannot be kept (REDPEN_BLOB_URL): ECONNREFUSED.',
    advice: expect.stringContaining('AWS_ACCESS_KEY_ID'),
  });
});

test('the clock is compared with the clocks of other machines', () => {
  const now = Date.UTC(2026, 10, 23, 12);
  const checkWith = (note: (clocks: ReturnType<typeof createClocks>) => void) => {
    const clocks = createClocks(() => now);
    note(clocks);
    return checkClock(clocks, now - 1_000, now);
  };
  const at = (ms: number) => new Date(now + ms).toUTCString();
  expect(checkWith(() => {})).toMatchObject({
    status: 'skipped',
    found: expect.stringContaining('no other machine is configured'),
  });
  expect(checkWith((clocks) => clocks.noteDate('S3', at(0)))).toMatchObject({ status: 'ok' });
  expect(checkWith((clocks) => clocks.noteDate('S3', 'no date'))).toMatchObject({ status: 'skipped' });
  expect(checkWith((clocks) => clocks.noteDate('S3', at(-30_000)))).toMatchObject({
    status: 'warning',
    found: 'This machine is 29.5 s ahead of S3.',
  });
  expect(checkWith((clocks) => clocks.noteAhead('the database server', -90_000))).toMatchObject({
    status: 'failed',
    found: 'This machine is 90.0 s behind the database server.',
    advice: expect.stringContaining('60 s'),
  });
});

test('a clock before the build time is wrong', () => {
  const buildTime = builtAt();
  expect(checkClock(createClocks(), buildTime, buildTime - 3_600_000)).toMatchObject({
    status: 'failed',
    brief: 'The clock of this machine is behind.',
  });
  expect(checkClock(createClocks(), buildTime)).toMatchObject({ status: 'skipped' });
});

test('the program is described, and a small machine is a warning', () => {
  expect(checkProgram(4 * GB)).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(/^Redpen \d+\.\d+\.\d+ on Node \d+.*4\.0 GB of memory\.$/),
  });
  expect(checkProgram(0.5 * GB)).toMatchObject({ status: 'warning' });
});
