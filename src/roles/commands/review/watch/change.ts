/** Pages that are to be reviewed again. */
export interface Change {
  /** Addresses of the pages that changed. */
  pages: string[];
  /** True if any page may have changed. */
  isWhole: boolean;
  /** Addresses of known pages that no longer exist. */
  gone: string[];
  /** The change in words. */
  what: string;
}

/** Notices changes of pages. */
export interface ChangeSource {
  /** Waits until the pages can be read for the first time. */
  ready(signal: AbortSignal): Promise<void>;
  /** Tells of pages that a review has found: what changes from now on counts, even before `next` is called. */
  found(urls: readonly string[], signal: AbortSignal): Promise<void>;
  /** The next change, with all that happened since the previous one. Rejects once the signal is aborted. */
  next(known: readonly string[], signal: AbortSignal): Promise<Change>;
  /** Counts a page as changed the next time that it can be read. */
  forget(url: string): void;
  close(): void;
}

/** For example `a.html, b.html and 3 more`. */
export function listShort(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
