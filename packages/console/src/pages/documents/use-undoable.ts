import { useCallback, useEffect, useRef } from 'react';
import { UNDO_MS } from '../../findings/decision-queue.ts';
import { announce } from '../../ui/toasts.tsx';

/** Does what is final only when it can no longer be undone, or when the person leaves the page. */
export function useUndoable(): (text: string, run: () => Promise<unknown>) => void {
  const waiting = useRef(new Set<() => void>());
  useEffect(() => {
    const all = waiting.current;
    const runAll = () => {
      for (const run of [...all]) run();
    };
    window.addEventListener('pagehide', runAll);
    return () => {
      window.removeEventListener('pagehide', runAll);
      runAll();
    };
  }, []);
  return useCallback((text, run) => {
    const all = waiting.current;
    const now = (): void => {
      clearTimeout(timer);
      if (!all.delete(now)) return;
      run().catch((error: unknown) => announce(error instanceof Error ? error.message : String(error)));
    };
    const timer = setTimeout(now, UNDO_MS);
    all.add(now);
    announce(text, {
      label: 'Undo',
      run: () => {
        clearTimeout(timer);
        if (!all.delete(now)) announce('It is too late to undo it.');
      },
    });
  }, []);
}
