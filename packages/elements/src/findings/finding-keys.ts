import type { Decision } from './listed-finding.ts';

/** What keys do. What is missing is not possible now. */
export interface KeyActs {
  /** Goes some rows down, or up. */
  go(step: number): void;
  decide?(decision: Decision): void;
  check?(): void;
  undo?(): void;
  close?(): void;
}

/** J and K walk, A accepts, R rejects, X selects, Z undoes, and Escape closes. Keys that are typed in a field do nothing. */
export function onFindingKey(event: KeyboardEvent, acts: KeyActs): void {
  const target = event.target as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || target.closest('input:not([type=checkbox]), select'))
    return;
  const { decide } = acts;
  const keys: Record<string, (() => void) | undefined> = {
    j: () => acts.go(1),
    ArrowDown: () => acts.go(1),
    k: () => acts.go(-1),
    ArrowUp: () => acts.go(-1),
    a: decide && (() => decide('accepted')),
    r: decide && (() => decide('rejected')),
    x: acts.check,
    z: acts.undo,
    Escape: acts.close,
  };
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
