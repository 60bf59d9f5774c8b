import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { Decisions } from '../../findings/decide.ts';
import { DecisionBadge, StateBadge } from '../../findings/finding-badges.tsx';
import { Badge, SeverityBadge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CheckInput } from '../../ui/field.tsx';
import { ROW_FOCUS } from '../../ui/scroll-list.tsx';
import { plural, Time } from '../../ui/time.ts';
import styles from './findings.module.css';
import { type InboxRow, shortAddress } from './inbox-rows.ts';

export interface RowActions {
  open(row: InboxRow): void;
  toggle(row: InboxRow): void;
  expand(row: InboxRow): void;
}

/** What sets a row apart: the place of a finding, or the number of places of a cause. */
function Facts({ row }: { row: InboxRow }) {
  const [first] = row.findings;
  if (!first) return null;
  if (row.kind === 'cause')
    return (
      <>
        {plural(row.findings.length, 'place')} on{' '}
        {row.pages === 1 ? shortAddress(first.pageUrl) : plural(row.pages, 'page')} · {first.agentName}
      </>
    );
  return (
    <>
      {shortAddress(first.pageUrl)}
      {first.targetText !== '' && <> · “{first.targetText}”</>}
      {!row.isPlace && <> · {first.agentName}</>}
    </>
  );
}

/** A row, which stays as it is while others are selected or opened. */
export const Row = memo(function Row({
  row,
  decisions,
  isCursor,
  isOpen,
  isSelected,
  isPartly,
  isFlat,
  actions,
}: {
  row: InboxRow;
  decisions: Decisions;
  /** The row that the tab key reaches. */
  isCursor: boolean;
  isOpen: boolean;
  isSelected: boolean;
  isPartly: boolean;
  /** True if the list has no causes, whose rows have a button more. */
  isFlat: boolean;
  actions: RowActions;
}) {
  const [first] = row.findings;
  if (!first) return null;
  const severity = row.kind === 'cause' ? row.severity : first.severity;
  const isPlace = row.kind === 'finding' && row.isPlace;
  const shown = row.kind === 'finding' ? decisions.shown(first) : undefined;
  return (
    <div
      className={styles.row}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      data-place={isPlace || undefined}
      data-flat={isFlat || undefined}
    >
      <CheckInput
        label={`Select: ${first.title}`}
        isSelected={isSelected}
        isIndeterminate={isPartly}
        onChange={() => actions.toggle(row)}
      />
      {row.kind === 'cause' ? (
        <IconButton
          label={row.isExpanded ? 'Hide the places' : 'Show the places'}
          size="small"
          aria-expanded={row.isExpanded}
          onPress={() => actions.expand(row)}
        >
          {row.isExpanded ? <ChevronDown /> : <ChevronRight className={styles.turned} />}
        </IconButton>
      ) : (
        !isFlat && <span aria-hidden />
      )}
      <button
        type="button"
        {...ROW_FOCUS}
        className={styles.main}
        tabIndex={isCursor ? 0 : -1}
        aria-current={isOpen || undefined}
        onClick={() => actions.open(row)}
      >
        <SeverityBadge severity={severity} />
        <span className={styles.title} dir="auto">
          {first.title}
        </span>
        <span className={styles.facts}>
          <Facts row={row} />
        </span>
        <span className={styles.end}>
          <span className={styles.badges}>
            {row.kind === 'cause' && <Badge>{row.findings.length}</Badge>}
            {row.kind === 'finding' && <StateBadge state={first.state} />}
            {shown && <DecisionBadge shown={shown} />}
          </span>
          <Time at={first.lastSeenAt} />
        </span>
      </button>
    </div>
  );
});
