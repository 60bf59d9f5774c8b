import type { Logger } from 'pino';

/** Interval of progress lines. */
const LINE_EVERY_MS = 60_000;

/** Logs the progress of re-embedding after a change of the model: at the start, every minute, at the end. */
export class RenewalLog {
  readonly #log: Logger;
  readonly #now: () => number;
  #inWork = 0;
  #renewed = 0;
  /** The last batch failed and will be retried. */
  #hasFailed = false;
  #nextLineAt = 0;

  constructor(log: Logger, now: () => number = Date.now) {
    this.#log = log;
    this.#now = now;
  }

  began(many: number, model: string): void {
    this.#inWork += many;
    if (this.#nextLineAt > 0) return;
    this.#nextLineAt = this.#now() + LINE_EVERY_MS;
    this.#log.info(
      { model },
      're-embedding judgments with another model; searches use the earlier vectors meanwhile',
    );
  }

  ended(many: number, isDone: boolean): void {
    if (many === 0) return;
    this.#inWork -= many;
    this.#hasFailed = !isDone;
    if (!isDone) return;
    this.#renewed += many;
    if (this.#now() < this.#nextLineAt) return;
    this.#nextLineAt = this.#now() + LINE_EVERY_MS;
    this.#log.info({ renewed: this.#renewed }, 'still re-embedding judgments with another model');
  }

  /** To be called when no outdated judgment was claimed. */
  foundNone(): void {
    if (this.#nextLineAt === 0 || this.#inWork > 0 || this.#hasFailed) return;
    this.#log.info({ renewed: this.#renewed }, 're-embedded all judgments that this process claimed');
    this.#renewed = 0;
    this.#nextLineAt = 0;
  }
}
