import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { within } from '../../lib/time.ts';

/** Event by which the page is asked for its timers. No page knows the name, so none takes note of the question. */
const QUESTION = `timers-${randomUUID()}`;
/** Time after which a timer that is due has fired. */
const SLACK_MS = 10;

/**
 * Script that notes when the timers of a document are due. It leaves the timers alone and uses nothing that the page's
 * scripts could replace later.
 */
export const NOTE_TIMERS = `(() => {
  const { apply } = Reflect;
  const clock = performance.now;
  const time = () => apply(clock, performance, []);
  const timers = Object.create(null);
  const observe = (owner, name, note) => {
    if (typeof owner?.[name] === 'function')
      owner[name] = new Proxy(owner[name], {
        apply(target, self, args) {
          const result = apply(target, self, args);
          note(args, result);
          return result;
        },
      });
  };
  let tasks = 0;
  let added = 0;
  const add = (id, delay, repeats) => {
    if (++added % 1000 === 0)
      for (const old in timers) if (!timers[old].repeats && timers[old].due < time() - 1000) delete timers[old];
    // A delay that is an object is unknown: to convert it would run code of the page.
    const isUnknown = typeof delay === 'object' || typeof delay === 'function';
    const left = isUnknown ? 0 : +delay;
    timers[id] = { due: time() + (left > 0 ? left : 0), repeats: repeats || isUnknown };
  };
  const remove = ([id]) => {
    if (typeof id === 'number' || typeof id === 'string') delete timers[id];
  };
  observe(globalThis, 'setTimeout', ([, delay], id) => add(id, delay, false));
  observe(globalThis, 'setInterval', ([, delay], id) => add(id, delay, true));
  observe(globalThis, 'clearTimeout', remove);
  observe(globalThis, 'clearInterval', remove);
  observe(globalThis.Scheduler?.prototype, 'postTask', ([, options]) => {
    if (options?.delay) add('task ' + tasks++, options.delay, true);
  });
  addEventListener('${QUESTION}', (event) => {
    event.stopImmediatePropagation();
    const now = time();
    let wait = 0;
    for (const id in timers) {
      const { due, repeats } = timers[id];
      // An interval fires again and again, and so is pending for as long as anything waits for it.
      const left = repeats && due - now < event.detail.within ? event.detail.within : due - now + ${SLACK_MS};
      if (left > wait && left <= event.detail.within + ${SLACK_MS}) wait = left;
    }
    event.detail.wait = wait;
  });
})();`;

/** Longest wait for two frames and a moment of idleness. */
const FRAMES_MS = 1000;

/**
 * Milliseconds until the last of the page's timers that are due within some time has fired; 0 if none is due. Before it
 * answers, what waits for a frame or for idleness has its turn. Undefined if the page does not answer, and for one that
 * is about to reload itself.
 */
export const waitForTimers = (page: Page, ahead: number): Promise<number | undefined> =>
  within(FRAMES_MS, page.evaluate(askForTimers, { question: QUESTION, ahead }), undefined).catch(
    () => undefined,
  );

/** Runs in the page. */
async function askForTimers({ question, ahead }: { question: string; ahead: number }) {
  if (document.querySelector('meta[http-equiv="refresh" i]')) return undefined;
  await new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done)));
  });
  const detail: { within: number; wait?: number } = { within: ahead };
  dispatchEvent(new CustomEvent(question, { detail }));
  return detail.wait;
}
