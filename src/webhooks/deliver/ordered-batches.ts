import type { DueDelivery } from '../../store/webhooks/due-deliveries.ts';

/** Deliveries with one order key, which are sent one after the other. */
export type OrderedBatch = DueDelivery[];

/**
 * Groups deliveries by order key. A batch stops before the first delivery that is not due or already in flight (a
 * replay can bring back a delivery that precedes one in flight); later ones must wait.
 */
export function batchByOrderKey(
  deliveries: DueDelivery[],
  now: number,
  busy: ReadonlySet<string>,
): OrderedBatch[] {
  const batches = new Map<string, OrderedBatch>();
  for (const delivery of deliveries) {
    const key = delivery.orderKey ?? `\0${delivery.messageId}`;
    const batch = batches.get(key);
    if (batch) batch.push(delivery);
    else batches.set(key, [delivery]);
  }
  return [...batches.values()]
    .map((batch) => {
      const ordered = batch.sort((a, b) => a.seq - b.seq);
      const blocked = ordered.findIndex(({ messageId, nextAt }) => nextAt > now || busy.has(messageId));
      return blocked < 0 ? ordered : ordered.slice(0, blocked);
    })
    .filter((batch) => batch.length > 0);
}

/** Batches that are loaded and wait to be sent, and the size of their bodies. */
export class BatchQueue {
  #batches: OrderedBatch[] = [];
  #chars = 0;

  get length(): number {
    return this.#batches.length;
  }

  get chars(): number {
    return this.#chars;
  }

  push(batch: OrderedBatch): void {
    this.#batches.push(batch);
    this.#chars += charsOf(batch);
  }

  /** Returns the rest of a batch to the front of the queue. */
  putBack(batch: OrderedBatch): void {
    this.#batches.unshift(batch);
    this.#chars += charsOf(batch);
  }

  take(): OrderedBatch | undefined {
    const batch = this.#batches.shift();
    if (batch) this.#chars -= charsOf(batch);
    return batch;
  }

  /** Empties the queue and returns its deliveries. */
  clear(): DueDelivery[] {
    const cleared = this.#batches.flat();
    this.#batches = [];
    this.#chars = 0;
    return cleared;
  }
}

const charsOf = (batch: OrderedBatch): number => batch.reduce((sum, { body }) => sum + body.length, 0);
