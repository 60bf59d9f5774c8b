import type { FindingRecord } from '@redpen/client';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Decisions } from '../../findings/decide.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import type { Decision, Grouping } from './finding-filter.ts';
import { cursorIn, type InboxRow, rowsOf, toggle } from './inbox-rows.ts';

export interface TriageOptions {
  findings: readonly FindingRecord[];
  grouping: Grouping;
  decisions: Decisions;
  mayDecide: boolean;
  /** The finding that is shown in detail. */
  openId: string | undefined;
  onOpen: (finding: FindingRecord | undefined) => void;
}

/** The rows with the cursor and the expanded causes. */
function useRows(findings: readonly FindingRecord[], grouping: Grouping) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState<{ key: string | undefined; index: number }>({
    key: undefined,
    index: 0,
  });
  const [focused, setFocused] = useState<{ index: number }>();
  const rows = useMemo(() => rowsOf(findings, grouping, expanded), [findings, grouping, expanded]);
  const at = cursorIn(rows, cursor.key, cursor.index);
  const point = useCallback(
    (index: number): void => {
      const next = Math.max(0, Math.min(rows.length - 1, index));
      setCursor({ key: rows[next]?.key, index: next });
      setFocused({ index: next });
    },
    [rows],
  );
  const expand = useCallback((row: InboxRow, isExpanded?: boolean): void => {
    if (row.kind !== 'cause') return;
    setExpanded((before) => {
      const changed = new Set(before);
      if (isExpanded ?? !before.has(row.key)) changed.add(row.key);
      else changed.delete(row.key);
      return changed;
    });
  }, []);
  /** Gives the focus back to the list. */
  const refocus = useCallback(() => setFocused({ index: Math.max(0, at) }), [at]);
  return { rows, at, focused, setCursor, point, expand, refocus };
}

/** The cursor, the selection and the expanded causes of the list, and the keys that move and decide. */
export function useTriage({ findings, grouping, decisions, mayDecide, openId, onOpen }: TriageOptions) {
  const { rows, at, focused, setCursor, point, expand, refocus } = useRows(findings, grouping);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [rejecting, setRejecting] = useState<readonly FindingRecord[]>();
  const chosen = useMemo(() => findings.filter(({ id }) => selected.has(id)), [findings, selected]);

  const decideOn = useCallback(
    (which: readonly FindingRecord[], decision: Decision, reason?: string): void => {
      decisions.decide(which, decision, { reason });
      setSelected(new Set());
      // Decided findings leave the list: the cursor stays where it is, on the next one.
      refocus();
    },
    [decisions, refocus],
  );
  /** Decides on the selection, or on the row of the cursor without one. */
  const decide = useCallback(
    (decision: Decision, which = chosen.length > 0 ? chosen : (rows[at]?.findings ?? [])): void => {
      if (which.length === 0 || !mayDecide) return;
      if (decision === 'rejected') setRejecting(which);
      else decideOn(which, decision);
    },
    [chosen, rows, at, mayDecide, decideOn],
  );

  const actions = useMemo(
    () => ({
      open(row: InboxRow) {
        const index = rows.indexOf(row);
        setCursor({ key: row.key, index });
        onOpen(row.findings[0]);
      },
      toggle(row: InboxRow) {
        setSelected((before) => toggle(before, row));
      },
      expand: (row: InboxRow) => expand(row),
    }),
    [rows, onOpen, expand, setCursor],
  );

  useKeys({
    rows,
    at,
    point,
    expand,
    decide,
    actions,
    hasSelection: selected.size > 0,
    openId,
    onOpen,
    setSelected,
  });
  return {
    rows,
    at,
    focused,
    selected,
    chosen,
    rejecting,
    actions,
    decide,
    reject(reason: string | undefined) {
      if (rejecting) decideOn(rejecting, 'rejected', reason);
    },
    stopRejecting: () => {
      setRejecting(undefined);
      refocus();
    },
    refocus,
    selectAll: () => setSelected(new Set(findings.map(({ id }) => id))),
    clear: () => setSelected(new Set()),
  };
}

export type Triage = ReturnType<typeof useTriage>;

interface Keys {
  rows: readonly InboxRow[];
  at: number;
  point: (index: number) => void;
  expand: (row: InboxRow, isExpanded?: boolean) => void;
  decide: (decision: Decision) => void;
  actions: { open(row: InboxRow): void; toggle(row: InboxRow): void };
  hasSelection: boolean;
  openId: string | undefined;
  onOpen: (finding: FindingRecord | undefined) => void;
  setSelected: (selected: ReadonlySet<string>) => void;
}

function useKeys(given: Keys): void {
  // The functions read what is current, so that the listener is set once.
  const current = useRef(given);
  current.current = given;
  const shortcuts = useMemo(() => {
    const now = () => current.current;
    const row = () => now().rows[now().at];
    const move = (step: number) => () => {
      const { at, rows, openId, onOpen, point } = now();
      const isFirst = document.activeElement?.closest('[data-index]') === null;
      const next = Math.max(0, Math.min(rows.length - 1, isFirst && at === 0 ? 0 : at + step));
      point(next);
      if (openId !== undefined) onOpen(rows[next]?.findings[0]);
    };
    const withRow = (act: (row: InboxRow) => void) => () => {
      const target = row();
      if (target) act(target);
    };
    return {
      j: move(1),
      k: move(-1),
      a: () => now().decide('accepted'),
      r: () => now().decide('rejected'),
      e: () => now().decide('resolved'),
      x: withRow((target) => now().actions.toggle(target)),
      ArrowRight: withRow((target) => now().expand(target, true)),
      ArrowLeft: withRow((target) => now().expand(target, false)),
      Escape: () => {
        const { hasSelection, setSelected, onOpen } = now();
        if (hasSelection) setSelected(new Set());
        else onOpen(undefined);
      },
    };
  }, []);
  useShortcuts(shortcuts);
}
