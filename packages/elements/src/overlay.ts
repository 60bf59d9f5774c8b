import { Overlay } from './overlay/overlay.ts';
import { readSettings } from './overlay/settings.ts';
import { loadWords } from './overlay/words.ts';

let running: Overlay | undefined;
let isHidden = false;

/** Hides pins and tab, as Alt+Shift+R does. */
export function hide(): void {
  isHidden = true;
  running?.hide();
}

export function show(): void {
  isHidden = false;
  running?.show();
}

async function start(): Promise<void> {
  const settings = readSettings(import.meta.url);
  if (typeof settings === 'string') {
    reportError(new Error(settings));
    return;
  }
  running = new Overlay(settings, await loadWords(settings.locale));
  running.start();
  if (isHidden) running.hide();
}

declare global {
  interface Window {
    /** For pages, and people at the console of their browser. */
    redpenOverlay?: { hide: () => void; show: () => void };
  }
}

// Twice on a page, by mistake, is once; and what is printed or shown to others may be without it.
if (!window.redpenOverlay && new URLSearchParams(location.search).get('redpen') !== 'off') {
  window.redpenOverlay = { hide, show };
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200));
  idle(() => void start(), { timeout: 2_000 });
}
