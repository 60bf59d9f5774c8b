import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStorageFaults } from '../../lib/storage-faults.ts';
import { type DiskSize, measureDisk, watchDisk } from './watch-disk.ts';

const MB = 1_048_576;
const places = [
  { place: 'data', name: 'the data folder', folder: '/data' },
  { place: 'temporary', name: 'temporary files', folder: '/tmp' },
];

/** Watches fake disks with this much free space, in MB. */
async function watch(free: Record<string, number | Error>, { totalMb = 100_000, reserveMb = 500 } = {}) {
  const faults = createStorageFaults();
  const lines: string[] = [];
  const log = {
    error: (_: object, message: string) => void lines.push(message),
    info: (_: object, message: string) => void lines.push(message),
  };
  const measure = async (folder: string): Promise<DiskSize> => {
    const now = free[folder]!;
    if (now instanceof Error) throw now;
    return { freeBytes: now * MB, totalBytes: totalMb * MB, device: folder.length };
  };
  const disk = await watchDisk({ places, reserveMb, faults, log, measure, everyMs: 3_600_000 });
  onTestFinished(disk.stop);
  return { disk, faults, lines };
}

test('writes are refused below the reserve with a message, and accepted again at a tenth above it', async () => {
  const free: Record<string, number> = { '/data': 600, '/tmp': 9_000 };
  const { disk, faults, lines } = await watch(free);
  const changes: boolean[] = [];
  faults.onChange((isRefusing) => void changes.push(isRefusing));
  expect(faults.list()).toEqual([]);
  free['/data'] = 312;
  await disk.look();
  await disk.look();
  expect(faults.list()).toEqual([
    'The disk of the data folder has 312 MB left, less than the reserve of 500 MB; reads go on.',
  ]);
  free['/data'] = 510;
  await disk.look();
  expect(faults.list()).toEqual([
    'The disk of the data folder has 510 MB left; writes are taken again from 550 MB on, and reads go on.',
  ]);
  free['/data'] = 551;
  await disk.look();
  expect(faults.list()).toEqual([]);
  expect(lines).toEqual([
    'disk has less space left than the reserve: writes are refused',
    'disk has more space left than the reserve again: writes are accepted',
  ]);
  expect(changes).toEqual([true, false]);
});

test('each disk is checked, and the metric reports each place', async () => {
  const { disk, faults } = await watch({ '/data': 9_000, '/tmp': 20 });
  expect(faults.list()).toEqual([
    'The disk of temporary files has 20 MB left, less than the reserve of 500 MB; reads go on.',
  ]);
  const { values } = await disk.metric.get();
  expect(values.map(({ labels, value }) => [labels.place, value])).toEqual([
    ['data', 9_000 * MB],
    ['temporary', 20 * MB],
  ]);
});

test('the reserve of a small disk is a tenth of it, and 0 disables the check', async () => {
  expect((await watch({ '/data': 30, '/tmp': 30 }, { totalMb: 256 })).faults.list()).toEqual([]);
  expect((await watch({ '/data': 20, '/tmp': 30 }, { totalMb: 256 })).faults.list()).toEqual([
    'The disk of the data folder has 20 MB left, less than the reserve of 25 MB; reads go on.',
  ]);
  expect((await watch({ '/data': 0, '/tmp': 0 }, { reserveMb: 0 })).faults.list()).toEqual([]);
});

test('a missing folder is ignored, and a disk that becomes read-only is a fault until it is writable again', async () => {
  const readOnly = Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  const free: Record<string, number | Error> = { '/data': 9_000, '/tmp': readOnly };
  const { disk, faults, lines } = await watch(free);
  expect(faults.list()).toEqual([]);
  free['/data'] = readOnly;
  await disk.look();
  await disk.look();
  expect(faults.list()).toEqual(['The disk of the data folder became read-only; reads go on.']);
  free['/data'] = 9_000;
  await disk.look();
  expect(faults.list()).toEqual([]);
  expect(lines).toEqual([
    'disk became read-only: writes are refused',
    'disk can be written to again: writes are accepted',
  ]);
});

test('a disk that cannot be measured any more keeps its fault until it can, or until its folder is missing', async () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  const free: Record<string, number | Error> = { '/data': 100, '/tmp': failure('EIO') };
  const { disk, faults } = await watch(free);
  const full = 'The disk of the data folder has 100 MB left, less than the reserve of 500 MB; reads go on.';
  expect(faults.list()).toEqual([full]);
  for (const code of ['EIO', 'ESTALE', 'EACCES']) {
    free['/data'] = failure(code);
    await disk.look();
    expect(faults.list()).toEqual([full]);
  }
  const locked = ['The disk of the data folder became read-only; reads go on.'];
  for (const code of ['EROFS', 'EIO']) {
    free['/data'] = failure(code);
    await disk.look();
    expect(faults.list()).toEqual(locked);
  }
  free['/data'] = 9_000;
  await disk.look();
  expect(faults.list()).toEqual([]);
  free['/data'] = 100;
  await disk.look();
  expect(faults.list()).toEqual([full]);
  free['/data'] = failure('ENOENT');
  await disk.look();
  expect(faults.list()).toEqual([]);
});

test('a real folder is measured, and a missing folder is not', async () => {
  const { freeBytes, totalBytes } = await measureDisk(tmpdir());
  expect(totalBytes).toBeGreaterThan(0);
  expect(freeBytes).toBeLessThanOrEqual(totalBytes);
  await expect(measureDisk(join(tmpdir(), 'not-there-at-all'))).rejects.toMatchObject({ code: 'ENOENT' });
});
