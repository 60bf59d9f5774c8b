import { UNDO_MS } from '@redpen/elements/findings/undo-time';
import { useEffect, useRef, useState } from 'react';
import { useStable } from '../../data/use-stable.ts';
import { sendBeforeLeaving } from '../../session/unsent.ts';
import { announce } from '../../ui/toasts.tsx';

export interface Undoable {
  /** True until it is done or undone. */
  isWaiting(key: string): boolean;
  /** Does something once it can no longer be undone. `isLeaving`: the page is about to go. */
  start(key: string, text: string, run: (isLeaving: boolean) => Promise<unknown>): void;
}

/** Does what is final only when it can no longer be undone, or when the person leaves the page of this component. */
export function useUndoable(): Undoable {
  const waiting = useRef(new Map<string, (isLeaving: boolean) => Promise<void>>());
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const all = waiting.current;
    const runAll = (isLeaving: boolean) => Promise.all([...all.values()].map((run) => run(isLeaving)));
    const stop = sendBeforeLeaving(runAll);
    return () => {
      stop();
      void runAll(false);
    };
  }, []);
  const start = useStable(
    (key: string, text: string, run: (isLeaving: boolean) => Promise<unknown>): void => {
      const all = waiting.current;
      const stop = (): boolean => {
        clearTimeout(timer);
        if (all.get(key) !== now) return false;
        all.delete(key);
        setKeys(new Set(all.keys()));
        return true;
      };
      const now = async (isLeaving: boolean): Promise<void> => {
        if (!stop()) return;
        await run(isLeaving).catch((error: unknown) =>
          announce(error instanceof Error ? error.message : String(error)),
        );
      };
      const timer = setTimeout(() => void now(false), UNDO_MS);
      all.set(key, now);
      setKeys(new Set(all.keys()));
      announce(text, {
        label: 'Undo',
        run: () => {
          if (!stop()) announce('It is too late to undo it.');
        },
      });
    },
  );
  return { isWaiting: (key) => keys.has(key), start };
}
