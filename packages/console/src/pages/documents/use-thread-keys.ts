import type { Thread } from '@redpen/client';
import { useCallback, useMemo, useState } from 'react';
import { stepFrom } from '../../findings/use-finding-keys.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import type { ThreadSearch } from './thread-filter.ts';
import type { ChangeThreads } from './use-threads.ts';

/** J and K walk through the threads, Enter opens, Esc closes. */
export function useThreadKeys(threads: readonly Thread[], search: ThreadSearch, change: ChangeThreads) {
  const [cursor, setCursor] = useState<string>();
  const [focused, setFocused] = useState<{ index: number }>();
  const ids = useMemo(() => threads.map(({ annotationId }) => annotationId), [threads]);
  const current = search.annotation ?? cursor;
  const at = current === undefined ? -1 : ids.indexOf(current);
  const open = useCallback(
    (id: string) => {
      setCursor(id);
      change({ annotation: id });
    },
    [change],
  );
  const isOpen = search.annotation !== undefined;
  const shortcuts = useMemo(() => {
    const move = (step: number) => () => {
      const next = stepFrom(ids, current, step);
      if (next === undefined) return;
      setCursor(next);
      setFocused({ index: ids.indexOf(next) });
      if (isOpen) change({ annotation: next });
    };
    return { j: move(1), k: move(-1), Escape: () => change({ annotation: undefined }) };
  }, [ids, current, isOpen, change]);
  useShortcuts(shortcuts);
  return { at, focused, open };
}
