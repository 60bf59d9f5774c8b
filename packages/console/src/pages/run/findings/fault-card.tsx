import { ChevronRight } from 'lucide-react';
import cards from '../../../findings/findings.module.css';
import { useHoverStore } from '../../../findings/hover-store.ts';
import { SeverityBadge } from '../../../ui/badge.tsx';
import { CheckInput } from '../../../ui/field.tsx';
import { ROW_FOCUS } from '../../../ui/row-focus.ts';
import { plural } from '../../../ui/time.ts';
import type { Fault } from '../data/merge-run.ts';
import styles from './findings-tab.module.css';

/** The heading of a fault in several places. */
export function FaultCard({
  fault: { first, findings, pages },
  isCurrent,
  isOpen,
  chosen,
  onPress,
  onSelect,
}: {
  fault: Fault;
  isCurrent: boolean;
  isOpen: boolean;
  /** Number of its places that are selected. */
  chosen: number;
  onPress: () => void;
  onSelect: ((isSelected: boolean) => void) | undefined;
}) {
  const { title, issueType, agentName } = first.records[0];
  const hover = useHoverStore();
  const places = plural(findings.length, 'place');
  return (
    <article
      className={cards.card}
      data-current={isCurrent || undefined}
      onPointerEnter={() => hover.set(first.id)}
      onPointerLeave={() => hover.set(undefined)}
    >
      {onSelect && (
        <CheckInput
          label={`Select all places of ${title}`}
          isSelected={chosen === findings.length}
          isIndeterminate={chosen > 0 && chosen < findings.length}
          onChange={onSelect}
        />
      )}
      <button type="button" {...ROW_FOCUS} className={cards.press} aria-expanded={isOpen} onClick={onPress}>
        <ChevronRight className={styles.chevron} size={16} data-open={isOpen || undefined} aria-hidden />
        <span className={cards.lines}>
          <span className={cards.title}>{title}</span>
          <span className={cards.facts}>
            <span>{pages > 1 ? `${places} on ${plural(pages, 'page')}` : places}</span>
            <span>{agentName}</span>
            <code>{issueType}</code>
          </span>
        </span>
        <span className={cards.badges}>
          <SeverityBadge severity={first.severity} />
        </span>
      </button>
    </article>
  );
}
