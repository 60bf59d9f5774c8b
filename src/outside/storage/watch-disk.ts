import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';
import type { StorageFaults } from '../../lib/storage-faults.ts';

export interface DiskPlace {
  /** Label of the metric. */
  place: string;
  /** Name in sentences, behind "the disk of". */
  name: string;
  folder: string;
}

export interface DiskSize {
  freeBytes: number;
  totalBytes: number;
  /** Device number of the file system; places with the same one share a disk. */
  device: number;
}

interface WatchOptions {
  places: readonly DiskPlace[];
  /** With 0, disks are measured and writes are never refused. */
  reserveMb: number;
  faults: StorageFaults;
  log: { error(data: object, message: string): void; info(data: object, message: string): void };
  measure?: (folder: string) => Promise<DiskSize>;
  everyMs?: number;
}

export interface DiskWatch {
  /** Measures now; resolves once the faults are updated. */
  look(): Promise<void>;
  metric: Gauge<string>;
  stop(): void;
}

const MB = 1_048_576;
const POLL_EVERY_MS = 5_000;
/** Upper limit of the reserve, for small file systems such as a container's temporary files. */
const LARGEST_SHARE = 0.1;
/** Hysteresis: writes resume above the reserve, so that they do not alternate at its edge. */
const RESUMES_AT = 1.1;

/** Measures the space that an ordinary user may still fill. Throws if the folder is missing or not writable. */
export async function measureDisk(folder: string): Promise<DiskSize> {
  await access(folder, constants.W_OK);
  const [{ bavail, blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, device: dev };
}

/**
 * Watches the free space of folders. A disk with less space than the reserve is a storage fault, which ends once the
 * free space exceeds the reserve by a tenth.
 */
export async function watchDisk({
  places,
  reserveMb,
  faults,
  log,
  measure = measureDisk,
  everyMs = POLL_EVERY_MS,
}: WatchOptions): Promise<DiskWatch> {
  const low = new Set<string>();
  const readOnly = new Set<string>();
  /** Places whose folder exists and has been measured. */
  const measured = new Set<string>();
  const free = new Map<string, number>();

  const update = ({ place, name, folder }: DiskPlace, size: DiskSize) => {
    const reserve = Math.min(reserveMb * MB, size.totalBytes * LARGEST_SHARE);
    const wasLow = low.has(place);
    const isLow = size.freeBytes < reserve * (wasLow ? RESUMES_AT : 1);
    const about = { folder, freeMb: toMb(size.freeBytes), reserveMb: toMb(reserve) };
    if (isLow) {
      faults.set(place, faultOf(name, size.freeBytes, reserve));
      low.add(place);
      if (!wasLow) log.error(about, 'disk has less space left than the reserve: writes are refused');
    } else if (wasLow) {
      clearFault(place);
      log.info(about, 'disk has more space left than the reserve again: writes are accepted');
    }
  };
  const clearFault = (place: string) => {
    low.delete(place);
    readOnly.delete(place);
    faults.set(place, undefined);
  };
  const markReadOnly = ({ place, name, folder }: DiskPlace) => {
    low.delete(place);
    faults.set(place, `The disk of ${name} became read-only; reads go on.`);
    if (!readOnly.has(place)) log.error({ folder }, 'disk became read-only: writes are refused');
    readOnly.add(place);
  };

  const look = async () => {
    const sizes = await Promise.all(
      places.map(({ folder }) => measure(folder).catch((error: NodeJS.ErrnoException) => error)),
    );
    const seen = new Set<number>();
    for (const [at, place] of places.entries()) {
      const size = sizes[at]!;
      if (size instanceof Error) {
        free.delete(place.place);
        // A missing folder has no files, and a folder that was never writable has none that could change.
        if (size.code === 'ENOENT') {
          measured.delete(place.place);
          clearFault(place.place);
        } else if (size.code === 'EROFS' && measured.has(place.place)) markReadOnly(place);
        // Any other error is no evidence that a fault has ended.
        continue;
      }
      measured.add(place.place);
      free.set(place.place, size.freeBytes);
      if (readOnly.delete(place.place)) {
        faults.set(place.place, undefined);
        log.info({ folder: place.folder }, 'disk can be written to again: writes are accepted');
      }
      if (seen.has(size.device)) clearFault(place.place);
      else update(place, size);
      seen.add(size.device);
    }
  };

  await look();
  let stopped = false;
  let timer: NodeJS.Timeout;
  const again = () => {
    if (stopped) return;
    timer = setTimeout(() => void look().then(again, again), everyMs);
    timer.unref();
  };
  again();
  return {
    look,
    metric: new Gauge({
      name: 'redpen_disk_free_bytes',
      help: 'Free bytes on the disks of the data folder, of stored files and of temporary files.',
      labelNames: ['place'],
      registers: [],
      collect() {
        this.reset();
        for (const [place, bytes] of free) this.set({ place }, bytes);
      },
    }),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const toMb = (bytes: number): number => Math.floor(bytes / MB);

const faultOf = (name: string, freeBytes: number, reserve: number): string =>
  freeBytes < reserve
    ? `The disk of ${name} has ${toMb(freeBytes)} MB left, less than the reserve of ${toMb(reserve)} MB; reads go on.`
    : `The disk of ${name} has ${toMb(freeBytes)} MB left; writes are taken again from ${toMb(reserve * RESUMES_AT)} MB on, and reads go on.`;
