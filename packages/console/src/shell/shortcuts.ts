import { useEffect } from 'react';

const isBox = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  !isBox(target) &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys that go on while they are held down. A held key decides on one finding, not on all. */
const GOES_ON = /^(j|k|Arrow\w+)$/;

/** Notices are `alertdialog`s too, but not modal ones. */
const OPEN_DIALOG = '[role="dialog"], [role="alertdialog"]:not([aria-modal="false"])';

/**
 * Runs a function when one of these keys is pressed, unless the person types text or a dialog is open. `mod+k` stands for
 * Ctrl or Command with `k`, and works everywhere.
 */
export function useShortcuts(shortcuts: Record<string, () => void>, isActive = true): void {
  useEffect(() => {
    if (!isActive) return;
    const onKey = (event: KeyboardEvent): void => {
      const isMod = event.ctrlKey || event.metaKey;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const run = shortcuts[isMod ? `mod+${key}` : key];
      if (!run || event.altKey || event.defaultPrevented) return;
      if (event.repeat && !GOES_ON.test(key)) return;
      // The event names the element around a field of its own as its target.
      const [target = null] = event.composedPath();
      if (!isMod && (takesText(target) || document.querySelector(OPEN_DIALOG))) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [shortcuts, isActive]);
}
