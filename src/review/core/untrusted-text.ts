import { findInjections } from '../injection/find-injections.ts';
import type { Injection } from '../injection/injection.ts';

const MAX_INJECTIONS = 50;

/** All that a model is given to read about one page. */
export interface Reading {
  /**
   * The text as the model may have it: without the agent's secrets, which a server may send back to whoever
   * showed them. What addresses the reviewer in it is noted. `where` names the strategy or tool it comes from.
   */
  take(text: string, where: string): string;
  /** A text of our own, such as a line of the log, without the secrets. */
  redact(text: string): string;
  readonly injections: readonly Injection[];
}

export function openReading(redact: (text: string) => string): Reading {
  const injections: Injection[] = [];
  const known = new Set<string>();
  return {
    take(text, where) {
      const safe = redact(text);
      for (const injection of findInjections(safe, where)) {
        const key = injection.quote.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
        if (known.has(key) || injections.length >= MAX_INJECTIONS) continue;
        known.add(key);
        injections.push(injection);
      }
      return safe;
    },
    redact,
    injections,
  };
}
