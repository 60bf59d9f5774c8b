import { useLayoutEffect } from 'react';

/**
 * Stands for a dialog whose code is being loaded. Keys are no shortcuts of the page behind it meanwhile, which could decide
 * on findings: what is typed is for the dialog.
 */
export function HoldKeys({ typed, onClose }: { typed: { current: string }; onClose: () => void }): null {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
    };
    // Before all others.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [typed, onClose]);
  return null;
}
