import type { Browser, LoadedPage, View } from '../../outside/browser/browser.ts';

/** A page that stays open after its data was gathered, for one more look at the same load. */
export interface HeldPage {
  /**
   * Passes the page to `look`, once, and closes it when that settles. Throws `PageFailure` if the page has crashed, or was
   * closed by its signal or its time limit, which cover the wait too.
   */
  use<T>(look: (loaded: LoadedPage) => Promise<T>): Promise<T>;
  /** Closes the page unless it was used. */
  release(): Promise<void>;
}

/** Opens a page, reads it, and keeps it open. It occupies a slot of the browser until it is used or released. */
export async function readAndHold(
  browser: Browser,
  url: string,
  view: View,
  options: { signal: AbortSignal; timeoutMs: number },
  read: (loaded: LoadedPage) => Promise<void>,
): Promise<HeldPage> {
  const isRead = Promise.withResolvers<void>();
  const next = Promise.withResolvers<((loaded: LoadedPage) => Promise<unknown>) | undefined>();
  const visit = browser.withPage(url, view, options, async (loaded): Promise<unknown> => {
    await read(loaded);
    isRead.resolve();
    const look = await next.promise;
    return look?.(loaded);
  });
  // The page may end while it is held; `use` reports it.
  visit.catch(() => {});
  await Promise.race([isRead.promise, visit]);
  return {
    use<T>(look: (loaded: LoadedPage) => Promise<T>) {
      next.resolve(look);
      return visit as Promise<T>;
    },
    async release() {
      next.resolve(undefined);
      await visit.catch(() => {});
    },
  };
}
