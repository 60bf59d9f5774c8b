import { statfs } from 'node:fs/promises';

/** Below so much, what the server writes ahead may not fit any more; then it would end rather than refuse. */
const LOW_BYTES = 48 * 1_048_576;
/** From so much on, writes are taken again. */
const ENOUGH_BYTES = 64 * 1_048_576;
/** While there is less than this, space is looked after more often than it can be used up. */
const NEAR_BYTES = 1_024 * 1_048_576;
const POLL_EVERY_MS = 1_000;
const POLL_EVERY_MS_WHEN_NEAR = 100;

export interface DiskSpace {
  /** True while writes must be refused. */
  isLow(): boolean;
  freeBytes(): number;
  stop(): void;
}

/** Bytes that an ordinary user may still write to the file system of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Watches how much space a folder's file system has left. `onChange` is called when it became low, or enough. */
export async function watchDiskSpace(
  folder: string,
  onChange: (isLow: boolean, freeBytes: number) => void,
  measure: (folder: string) => Promise<number> = freeBytesOf,
): Promise<DiskSpace> {
  let free = Number.POSITIVE_INFINITY;
  let low = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const look = async () => {
    try {
      free = await measure(folder);
    } catch {
      // The file system does not tell; the server refuses by itself then.
      return;
    }
    const next = free < (low ? ENOUGH_BYTES : LOW_BYTES);
    if (next === low) return;
    // What throws is tried again at the next look.
    onChange(next, free);
    low = next;
  };
  const again = () => {
    if (stopped) return;
    timer = setTimeout(
      () => void look().then(again, again),
      free < NEAR_BYTES ? POLL_EVERY_MS_WHEN_NEAR : POLL_EVERY_MS,
    );
    timer.unref();
  };
  await look().catch(() => {});
  again();
  return {
    isLow: () => low,
    freeBytes: () => free,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
