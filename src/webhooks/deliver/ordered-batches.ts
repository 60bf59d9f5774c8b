import type { DueDelivery } from '../../store/webhooks/due-deliveries.ts';

/** Deliveries of one key, which go out one after the other. */
export type Chain = DueDelivery[];

/**
 * Puts deliveries of one key behind one another; behind one that is not due, nobody is, nor behind one that is
 * at work, before which an earlier one was brought back.
 */
export function chainsOf(deliveries: DueDelivery[], now: number, busy: ReadonlySet<string>): Chain[] {
  const chains = new Map<string, Chain>();
  for (const delivery of deliveries) {
    const key = delivery.orderKey ?? `\0${delivery.messageId}`;
    const chain = chains.get(key);
    if (chain) chain.push(delivery);
    else chains.set(key, [delivery]);
  }
  return [...chains.values()]
    .map((chain) => {
      const inOrder = chain.sort((a, b) => a.seq - b.seq);
      const blocked = inOrder.findIndex(({ messageId, nextAt }) => nextAt > now || busy.has(messageId));
      return blocked < 0 ? inOrder : inOrder.slice(0, blocked);
    })
    .filter((chain) => chain.length > 0);
}

/** Chains that are loaded and wait to go out, and how much text they hold. */
export class ChainQueue {
  #chains: Chain[] = [];
  #chars = 0;

  get length(): number {
    return this.#chains.length;
  }

  get chars(): number {
    return this.#chars;
  }

  push(chain: Chain): void {
    this.#chains.push(chain);
    this.#chars += charsOf(chain);
  }

  /** Puts back what is left of a chain, before all others. */
  putBack(chain: Chain): void {
    this.#chains.unshift(chain);
    this.#chars += charsOf(chain);
  }

  take(): Chain | undefined {
    const chain = this.#chains.shift();
    if (chain) this.#chars -= charsOf(chain);
    return chain;
  }

  /** Empties it; answers what was in it. */
  drop(): DueDelivery[] {
    const dropped = this.#chains.flat();
    this.#chains = [];
    this.#chars = 0;
    return dropped;
  }
}

const charsOf = (chain: Chain): number => chain.reduce((sum, { body }) => sum + body.length, 0);
