const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;

/**
 * How often a lane asks the database for more. While a slow endpoint is waited for and nothing comes, ever less:
 * of hundreds that hang, each would ask at every event of anybody.
 */
export class Looks {
  #inVain = 0;
  #nextAt = 0;

  isTime(): boolean {
    return performance.now() >= this.#nextAt;
  }

  cameBack(found: number): void {
    this.#nextAt = performance.now() + Math.min(FIRST_WAIT_MS * 2 ** this.#inVain, LONGEST_WAIT_MS);
    this.#inVain += 1;
    if (found > 0) this.freely();
  }

  /** There is reason to expect something. */
  freely(): void {
    this.#inVain = 0;
    this.#nextAt = 0;
  }
}
