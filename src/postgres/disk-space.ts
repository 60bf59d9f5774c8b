import { statfs } from 'node:fs/promises';

/** Below this much free space, the write-ahead log may not fit any more, and the server would crash rather than refuse writes. */
const LOW_BYTES = 48 * 1_048_576;
/** Hysteresis: writes resume from here on. */
const ENOUGH_BYTES = 64 * 1_048_576;
/** Below this much free space, it is measured so often that it cannot run out between two measurements. */
const NEAR_BYTES = 1_024 * 1_048_576;
const POLL_EVERY_MS = 1_000;
const POLL_EVERY_MS_WHEN_NEAR = 100;

export interface DiskSpace {
  /** True while writes must be refused. */
  isLow(): boolean;
  freeBytes(): number;
  stop(): void;
}

/** Bytes that an ordinary user can still write to a folder's file system. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Watches the free space of a folder's file system. `onChange` is called when it becomes low, and sufficient again. */
export async function watchDiskSpace(
  folder: string,
  onChange: (isLow: boolean, freeBytes: number) => void,
  measure: (folder: string) => Promise<number> = freeBytesOf,
): Promise<DiskSpace> {
  let free = Number.POSITIVE_INFINITY;
  let low = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const measureNow = async () => {
    try {
      free = await measure(folder);
    } catch {
      // Without a measurement, the server itself refuses writes on a full disk.
      return;
    }
    const next = free < (low ? ENOUGH_BYTES : LOW_BYTES);
    if (next === low) return;
    // If it throws, the next measurement tries again.
    onChange(next, free);
    low = next;
  };
  const schedule = () => {
    if (stopped) return;
    timer = setTimeout(
      () => void measureNow().then(schedule, schedule),
      free < NEAR_BYTES ? POLL_EVERY_MS_WHEN_NEAR : POLL_EVERY_MS,
    );
    timer.unref();
  };
  await measureNow().catch(() => {});
  schedule();
  return {
    isLow: () => low,
    freeBytes: () => free,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
