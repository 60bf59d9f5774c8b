interface Window {
  since: number;
  lines: number;
  leftOut: number;
}

const WINDOW_MS = 60_000;
const MAX_KEYS = 1_000;

/** Throttles repeated log lines, so that many equal failures do not flood the log. */
export class LogThrottle {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number, now: () => number = Date.now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Undefined if the line is to be suppressed; otherwise fields about suppressed lines, if any were or will be. */
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
    if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value!);
  }
}
