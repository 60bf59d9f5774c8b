import type { Recommendation as Value } from '@redpen/client';
import { Badge } from '../../../ui/badge.tsx';
import { plural, Time } from '../../../ui/time.ts';
import styles from '../memory.module.css';
import { decisionOf, percent } from '../memory-data.ts';

/** A predicted decision with what speaks for it. */
export function Recommendation({ value }: { value: Value }) {
  const {
    recommendation,
    confidence,
    basedOn,
    scopeLabel,
    topReasons,
    uniqueReviewers,
    caveats,
    precedents,
  } = value;
  const { tone } = decisionOf(recommendation);
  return (
    <div className={styles.section}>
      <div className={styles.head}>
        <Badge tone={tone}>{recommendation === 'approve' ? 'Approve' : 'Reject'}</Badge>
        <span>{percent(confidence)} likely</span>
        <span className={styles.small}>
          {plural(basedOn, 'decision')} by {plural(uniqueReviewers, 'reviewer')}, {scopeLabel}
        </span>
      </div>
      {topReasons.map((reason) => (
        <q key={reason} className={styles.quote}>
          {reason}
        </q>
      ))}
      {caveats.map((caveat) => (
        <span key={caveat} className={styles.small}>
          {caveat}
        </span>
      ))}
      <ul className={styles.cited} aria-label="Similar decisions">
        {precedents.slice(0, 5).map(({ recordId, decision, actionUser, createdAt, similarity }) => (
          <li key={recordId}>
            <span className={styles.head}>
              <Badge tone={decisionOf(decision).tone}>{decisionOf(decision).text}</Badge>
              {actionUser.name || actionUser.userId}
              <span className={styles.small}>
                <Time at={createdAt} />, {percent(Math.max(0, similarity))} alike
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
