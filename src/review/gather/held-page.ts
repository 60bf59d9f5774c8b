import { type Browser, type LoadedPage, PageFailure, type View } from '../../outside/browser/browser.ts';

/** A page that stays open after its data was gathered, for one more look at the same load. */
export interface HeldPage {
  /**
   * Passes the page to `look`, once; the looks of several holders follow one another. Throws `PageFailure` if the page has
   * crashed, or was closed by its signal or its time limit, which cover the wait too.
   */
  use<T>(look: (loaded: LoadedPage) => Promise<T>): Promise<T>;
  /** False once it was used or released. */
  isOpen(): boolean;
  /** Gives the page up unless it was used. The last holder waits until it is closed. */
  release(): Promise<void>;
}

type Look = (loaded: LoadedPage) => Promise<void>;

/**
 * Opens a page, reads it, and keeps it open for as many holders as `read` returns. It occupies a slot of the browser until
 * each of them has used or released it.
 */
export async function readAndHold(
  browser: Browser,
  url: string,
  view: View,
  options: { signal: AbortSignal; timeoutMs: number },
  read: (loaded: LoadedPage) => Promise<number>,
): Promise<HeldPage[]> {
  const isRead = Promise.withResolvers<number>();
  const answers: PromiseWithResolvers<Look | undefined>[] = [];
  const visit = browser.withPage(url, view, options, async (loaded): Promise<void> => {
    const holders = await read(loaded);
    for (let count = 0; count < holders; count++) answers.push(Promise.withResolvers());
    isRead.resolve(holders);
    let looks = Promise.resolve();
    await Promise.all(
      answers.map(async ({ promise }) => {
        const look = await promise;
        if (look) looks = looks.then(() => look(loaded));
        await looks;
      }),
    );
  });
  // The page may end while it is held; `use` reports it.
  visit.catch(() => {});
  await Promise.race([isRead.promise, visit]);
  let holders = answers.length;
  return answers.map((answer) => holderOf(answer));

  function holderOf(answer: PromiseWithResolvers<Look | undefined>): HeldPage {
    let isOpen = true;
    const leave = () => {
      if (isOpen) holders--;
      isOpen = false;
    };
    return {
      isOpen: () => isOpen,
      async use<T>(look: (loaded: LoadedPage) => Promise<T>): Promise<T> {
        if (!isOpen) throw new PageFailure('aborted', 'The page is no longer open.');
        leave();
        return await new Promise<T>((resolve, reject) => {
          visit.catch(reject);
          answer.resolve(async (loaded) => {
            try {
              resolve(await look(loaded));
            } catch (error) {
              // The visit explains what happened to the page, but its end would take the page from other holders.
              if (answers.length === 1) throw error;
              reject(error);
            }
          });
        });
      },
      async release() {
        leave();
        answer.resolve(undefined);
        if (holders === 0) await visit.catch(() => {});
      },
    };
  }
}
