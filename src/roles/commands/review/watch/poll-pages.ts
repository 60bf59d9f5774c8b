import { setTimeout as pause } from 'node:timers/promises';
import { type ChangeSource, listShort } from './change.ts';
import { type Mode, modeOf, printOf } from './page-print.ts';

const EVERY_MS = 2_000;
const TIMEOUT_MS = 30_000;
const AT_ONCE = 4;

interface Seen {
  mode: Mode;
  print: string;
  /** Headers with which an unchanged page gives a short answer. */
  conditions: Record<string, string>;
}

interface PollOptions {
  start: string;
  /** Shows a sentence. */
  say(text: string): void;
  everyMs?: number;
}

type Answer = { html: string; conditions: Record<string, string> } | 'unchanged' | { trouble: string };

/** Watches the pages of a running server by requesting them again and again. */
export function pollPages({ start, say, everyMs = EVERY_MS }: PollOptions): ChangeSource {
  const seen = new Map<string, Seen>();
  /** Why pages could not be read the last time. */
  const troubles = new Map<string, string>();
  let isAway = false;

  const noteTrouble = (url: string, trouble: string): void => {
    if (trouble === AWAY) {
      if (!isAway) say(`${new URL(url).origin} does not answer: waiting for it.`);
      isAway = true;
    } else if (troubles.get(url) !== trouble) say(`${url} ${trouble}: waiting for it.`);
    troubles.set(url, trouble);
  };

  /** Looks at a page, and returns true if it has changed. */
  const look = async (url: string, signal: AbortSignal): Promise<boolean> => {
    const before = seen.get(url);
    const answer = await read(url, before?.conditions ?? {}, signal);
    if (answer !== 'unchanged' && 'trouble' in answer) {
      noteTrouble(url, answer.trouble);
      return false;
    }
    if (isAway) say(`${new URL(url).origin} answers again.`);
    isAway = false;
    troubles.delete(url);
    if (answer === 'unchanged') return false;
    if (
      before &&
      ((before.mode === 'never' && before.print !== FORGOTTEN) ||
        before.print === printOf(answer.html, before.mode))
    ) {
      before.conditions = answer.conditions;
      return false;
    }
    const again = await read(url, {}, signal);
    // The server is being restarted: the next look finds the change.
    if (again === 'unchanged' || 'trouble' in again) return false;
    const found = modeOf(answer.html, again.html);
    const mode = before && STRICTNESS[before.mode] > STRICTNESS[found] ? before.mode : found;
    if (mode === 'never')
      say(`${url} differs at each request: it is reviewed whenever another page changes.`);
    seen.set(url, { mode, print: printOf(again.html, mode), conditions: again.conditions });
    return before !== undefined;
  };

  /** Looks at pages, a few at a time, and returns those that have changed. */
  const lookAt = async (urls: readonly string[], signal: AbortSignal): Promise<string[]> => {
    const changed: string[] = [];
    for (let at = 0; at < urls.length; at += AT_ONCE) {
      const some = urls.slice(at, at + AT_ONCE);
      const looks = await Promise.all(some.map((url) => look(url, signal)));
      changed.push(...some.filter((_, index) => looks[index]));
    }
    return changed;
  };

  return {
    async found(urls, signal) {
      await lookAt(
        urls.filter((url) => !seen.has(url)),
        signal,
      );
    },
    async ready(signal) {
      while (!seen.has(start)) {
        await look(start, signal);
        if (!seen.has(start)) await pause(everyMs, undefined, { signal });
      }
    },
    async next(known, signal) {
      for (;;) {
        const changed = await lookAt(known, signal);
        if (changed.length > 0) {
          const restless = known.filter((url) => seen.get(url)?.mode === 'never');
          const pages = [...new Set([...changed, ...restless])];
          return { pages, isWhole: false, gone: [], what: `changed: ${listShort(changed)}` };
        }
        await pause(everyMs, undefined, { signal });
      }
    },
    forget(url) {
      const known = seen.get(url);
      if (known) seen.set(url, { mode: known.mode, print: FORGOTTEN, conditions: {} });
    },
    close() {},
  };
}

const STRICTNESS: Record<Mode, number> = { exact: 0, steady: 1, never: 2 };
const AWAY = 'away';
const FORGOTTEN = 'forgotten';

async function read(url: string, conditions: Record<string, string>, signal: AbortSignal): Promise<Answer> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url, { headers: { accept: 'text/html,*/*', ...conditions }, signal: limit });
    const html = await response.text();
    if (response.status === 304) return 'unchanged';
    if (!response.ok) return { trouble: `answers with status ${response.status}` };
    const [etag, modified] = [response.headers.get('etag'), response.headers.get('last-modified')];
    return {
      html,
      // A tag is exact, and a time is not: a file may change twice in a second.
      conditions: { ...(etag ? { 'if-none-match': etag } : modified && { 'if-modified-since': modified }) },
    };
  } catch {
    signal.throwIfAborted();
    return { trouble: AWAY };
  }
}
