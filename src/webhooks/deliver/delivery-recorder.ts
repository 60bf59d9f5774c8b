import { pause } from '../../lib/time.ts';
import type { Result } from '../../store/webhooks/lanes.ts';

/** A result, and whether it is a lane's that failed before. */
export interface Told extends Result {
  workspaceId: string;
  eventType: string;
  /** The endpoint is known to fail, so that a success must be noted. */
  wasFailing: boolean;
  isGone: boolean;
  /** The outbound guard spoke against it. */
  isForbidden: boolean;
  /** Where it was sent to. */
  url: string;
}

const GATHERED_MS = 3;
const MOST_AT_ONCE = 250;
const RETRY_MS = 1_000;

/**
 * Writes what became of tries, those of all lanes together: one statement for many costs little more than
 * for one. What cannot be written is kept and written again; until then its lane does not take it up anew.
 */
export class Recorder {
  readonly #write: (results: Told[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #waiting: { result: Told; done: () => void }[] = [];
  #running: Promise<void> | undefined;
  #isClosing = false;

  constructor(write: (results: Told[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  /** Resolves once it is written. */
  add(result: Told): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ result, done });
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
    });
  }

  /** Writes what is there; where that fails now, the deliveries are repeated by whoever comes next. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    await pause(GATHERED_MS);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      try {
        await this.#write(batch.map(({ result }) => result));
        for (const { done } of batch) done();
      } catch (error) {
        this.#onError(error);
        this.#waiting.unshift(...batch);
        if (this.#isClosing) return;
        await pause(RETRY_MS);
      }
    }
  }
}
