import { findInjections } from '../injection/find-injections.ts';
import type { Injection } from '../injection/injection.ts';
import { redactAll } from './redact.ts';

const MAX_INJECTIONS = 50;

/** Screens all text about one page before a model reads it: removes secrets and records prompt injections. */
export interface TextScreener {
  /**
   * Returns the text without the agent's secrets, since a server may echo those that it was sent. Prompt injections in
   * it are recorded, not removed. `where` names the strategy or tool that the text comes from.
   */
  screen(text: string, where: string): string;
  /** Removes the secrets from text of our own, such as a log line. */
  redact(text: string): string;
  /**
   * Data of a page without the secrets that it was sent and may echo. This is done before anything is cut from it, since a
   * part of a secret is not recognized.
   */
  clean<T>(data: T): T;
  readonly injections: readonly Injection[];
}

/** `isSignedIn`: the page was sent secrets. */
export function createTextScreener(
  redact: (text: string) => string,
  { isSignedIn = false } = {},
): TextScreener {
  const injections: Injection[] = [];
  const known = new Set<string>();
  return {
    screen(text, where) {
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
    clean: (data) => (isSignedIn ? redactAll(data, redact) : data),
    injections,
  };
}
