/** The locks that the tabs of a browser share. Node has locks too, but for one process. */
export const browserLocks = (): LockManager | undefined =>
  globalThis.indexedDB && globalThis.navigator?.locks;
