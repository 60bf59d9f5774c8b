import { useMemo, useState } from 'react';
import { useShortcuts } from '../shell/shortcuts.ts';

export interface FindingKeys {
  /** Ids in the order of the list. */
  ids: readonly string[];
  current: string | undefined;
  onMove: (id: string) => void;
  onOpen?: ((id: string) => void) | undefined;
  onAccept: (id: string) => void;
  /** Opens the dialog that asks for the reason. */
  onReject: (id: string) => void;
  onResolve: (id: string) => void;
  onSelect: (id: string) => void;
  onClose?: (() => void) | undefined;
}

/** The id that is a number of steps away; the first if there is none yet. */
export function stepFrom(
  ids: readonly string[],
  current: string | undefined,
  step: number,
): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  if (at < 0) return ids[0];
  return ids[Math.max(0, Math.min(ids.length - 1, at + step))];
}

/** J and K walk through findings, A accepts, R rejects, E resolves, X selects, Enter opens. */
export function useFindingKeys(keys: FindingKeys): void {
  const { ids, current, onMove, onOpen, onAccept, onReject, onResolve, onSelect, onClose } = keys;
  const shortcuts = useMemo(() => {
    const move = (step: number) => () => {
      const next = stepFrom(ids, current, step);
      if (next !== undefined) onMove(next);
    };
    const on = (act: ((id: string) => void) | undefined) => () => {
      if (current !== undefined) act?.(current);
    };
    return {
      j: move(1),
      k: move(-1),
      a: on(onAccept),
      r: on(onReject),
      e: on(onResolve),
      x: on(onSelect),
      ...(onOpen && { Enter: on(onOpen) }),
      ...(onClose && { Escape: onClose }),
    };
  }, [ids, current, onMove, onOpen, onAccept, onReject, onResolve, onSelect, onClose]);
  useShortcuts(shortcuts);
}

/** The findings that are selected, among those that are listed. */
export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => new Set(ids.filter((id) => chosen.has(id))), [ids, chosen]);
  return {
    selected,
    toggle(id: string): void {
      setChosen((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      });
    },
    set: (next: readonly string[]) => setChosen(new Set(next)),
    clear: () => setChosen(new Set()),
  };
}
