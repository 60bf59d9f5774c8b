interface Window {
  since: number;
  lines: number;
  leftOut: number;
}

const WINDOW_MS = 60_000;
const MOST_KEYS = 1_000;

/** Bounds how often the same thing is logged, so that a flood of failures is no flood of lines. */
export class LineBound {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number, now: () => number = Date.now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Undefined where the line is to be left out; otherwise what the line says of those left out, if any were or will be. */
  take(key: string): { leftOut?: number; next?: string } | undefined {
    const now = this.#now();
    const before = this.#windows.get(key);
    const isNew = before === undefined || now - before.since >= WINDOW_MS;
    const window = isNew ? { since: now, lines: 0, leftOut: 0 } : before;
    if (isNew) this.#remember(key, window);
    if (window.lines >= this.#perMinute) {
      window.leftOut += 1;
      return undefined;
    }
    window.lines += 1;
    return {
      ...(isNew && before && before.leftOut > 0 && { leftOut: before.leftOut }),
      ...(window.lines === this.#perMinute && { next: 'later ones are counted for a minute' }),
    };
  }

  #remember(key: string, window: Window): void {
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size > MOST_KEYS) this.#windows.delete(this.#windows.keys().next().value!);
  }
}
