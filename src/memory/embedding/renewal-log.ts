import type { Logger } from 'pino';

/** How often a change of the model that goes on is told of. */
const LINE_EVERY_MS = 60_000;

/** Tells how far this process is with the vectors of judgments after the model was changed: first, each minute, last. */
export class RenewalLog {
  readonly #log: Logger;
  readonly #now: () => number;
  #inWork = 0;
  #renewed = 0;
  /** The last that were worked on are still to be done. */
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
      'judgments get vectors of another model; they are found by those that they have',
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
    this.#log.info({ renewed: this.#renewed }, 'judgments still get vectors of another model');
  }

  /** No more was found to work on. */
  foundNone(): void {
    if (this.#nextLineAt === 0 || this.#inWork > 0 || this.#hasFailed) return;
    this.#log.info(
      { renewed: this.#renewed },
      'no judgment here waits for vectors of another model any more',
    );
    this.#renewed = 0;
    this.#nextLineAt = 0;
  }
}
