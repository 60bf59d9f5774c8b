import { cutText } from '../../lib/text/cut-text.ts';
import { PageFailure } from '../../outside/browser/browser.ts';
import type { PromptPart } from '../../outside/models/models.ts';
import type { GatherStrategy } from './gather-strategy.ts';

const STRATEGY_TIMEOUT_MS = 60_000;
export const OUT_OF_TIME = 'The time for gathering ran out.';

export type Outcome = { data: unknown; parts: PromptPart[] } | { error: unknown };

/** Enforces the timeout of a strategy even if it ignores its signal. */
export async function runInTime(
  strategy: GatherStrategy,
  url: string,
  signal: AbortSignal,
  gather: (own: AbortSignal) => Promise<unknown>,
): Promise<Outcome> {
  const own = AbortSignal.any([signal, AbortSignal.timeout(strategy.timeoutMs ?? STRATEGY_TIMEOUT_MS)]);
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(own.reason);
  own.addEventListener('abort', stop, { once: true });
  try {
    own.throwIfAborted();
    const data = await Promise.race([gather(own), stopped.promise]);
    return { data, parts: strategy.toPrompt(data, { url }) };
  } catch (error) {
    return { error: own.aborted ? own.reason : error };
  } finally {
    own.removeEventListener('abort', stop);
  }
}

/** True for the error of work that was stopped or ran out of time. */
export const isStop = (error: unknown): boolean =>
  error instanceof PageFailure
    ? error.kind === 'aborted' || error.kind === 'timeout'
    : error instanceof DOMException && /^(Timeout|Abort)Error$/.test(error.name);

/** The first line of the message, since Playwright appends its log. */
export function messageOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'It took too long.';
  const text = error instanceof Error ? error.message : String(error);
  return cutText(text.split('\n', 1)[0]!, 300);
}
