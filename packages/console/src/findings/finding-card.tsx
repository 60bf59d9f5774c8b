import type { FindingRecord, Severity } from '@redpen/client';
import type { ReactNode } from 'react';
import { SeverityBadge } from '../ui/badge.tsx';
import { CheckInput } from '../ui/field.tsx';
import { ROW_FOCUS } from '../ui/row-focus.ts';
import type { DecisionShown } from './decision-queue.ts';
import { DecisionBadge, StateBadge } from './finding-badges.tsx';
import { pathOf } from './finding-text.ts';
import { FindingWords } from './finding-words.tsx';
import styles from './findings.module.css';
import { useHoverStore, useIsHovered } from './hover-store.ts';

export interface FindingCardProps {
  finding: FindingRecord;
  shown: DecisionShown;
  /** In place of the severity of the record, for findings that several agents report. */
  severity?: Severity;
  /** The number of its pin. */
  number?: number | undefined;
  isCurrent: boolean;
  isSelected?: boolean;
  onPress: () => void;
  /** Shows a box that selects the finding. */
  onSelect?: ((isSelected: boolean) => void) | undefined;
  /** Hides what the heading above says already. */
  isPlaceOnly?: boolean;
  /** In place of the state of the record, for lists of one run. */
  state?: 'new' | 'still_there' | 'fixed' | undefined;
  /** Names the page; on by default. */
  showsPage?: boolean;
  children?: ReactNode;
}

/** A finding in a list. */
export function FindingCard(props: FindingCardProps) {
  const { finding, shown, severity, number, isCurrent, isSelected, onPress, onSelect } = props;
  const { isPlaceOnly, showsPage = true, children } = props;
  const state = 'state' in props ? props.state : finding.state;
  const hover = useHoverStore();
  const isLit = useIsHovered(finding.id);
  const isOpen = shown.decision === 'undecided' || shown.decision === 'accepted';
  return (
    <article
      className={styles.card}
      data-current={isCurrent || undefined}
      data-lit={isLit || undefined}
      data-closed={!isOpen || undefined}
      data-nested={isPlaceOnly || undefined}
      onPointerEnter={() => hover.set(finding.id)}
      onPointerLeave={() => hover.set(undefined)}
    >
      {onSelect && (
        <CheckInput label={`Select ${finding.title}`} isSelected={isSelected ?? false} onChange={onSelect} />
      )}
      <button
        type="button"
        {...ROW_FOCUS}
        className={styles.press}
        aria-expanded={isCurrent}
        onClick={onPress}
      >
        {number !== undefined && (
          <span className={styles.number} data-severity={severity ?? finding.severity}>
            <span className="visually-hidden">Finding </span>
            {number}
          </span>
        )}
        <span className={styles.lines}>
          {!isPlaceOnly && <span className={styles.title}>{finding.title}</span>}
          <FindingWords finding={finding} isShort />
          <span className={styles.facts}>
            {showsPage && <span className={styles.page}>{pathOf(finding.pageUrl)}</span>}
            {children}
          </span>
        </span>
        <span className={styles.badges}>
          {!isPlaceOnly && <SeverityBadge severity={severity ?? finding.severity} />}
          <StateBadge state={state} />
          <DecisionBadge shown={shown} />
        </span>
      </button>
    </article>
  );
}
