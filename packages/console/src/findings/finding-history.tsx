import type { Operations } from '@redpen/client';
import { SeverityBadge } from '../ui/badge.tsx';
import { Time } from '../ui/time.ts';
import { StateBadge } from './finding-badges.tsx';
import styles from './findings.module.css';

type Sighting = Operations['/v2/agents/findings/get']['result']['history'][number];

/** The runs that saw a finding. */
export const FindingHistory = ({ history }: { history: readonly Sighting[] }) => (
  <details className={styles.technical}>
    <summary>Seen in {history.length} runs</summary>
    <ol className={styles.history}>
      {history.map(({ executionId, startedAt, severity, comparison, decision }) => (
        <li key={executionId}>
          <Time at={startedAt} />
          <SeverityBadge severity={severity} />
          <StateBadge state={comparison} />
          {decision && <span>{decision}</span>}
        </li>
      ))}
    </ol>
  </details>
);
