import type { DeliveryAttempt, DeliveryStatus } from '@redpen/client';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { describeDuration, Time } from '../../ui/time.ts';
import styles from './webhooks.module.css';

const OUTCOMES: Record<DeliveryAttempt['outcome'], { tone: Tone; label: string }> = {
  delivered: { tone: 'good', label: 'Delivered' },
  refused: { tone: 'bad', label: 'Refused' },
  timeout: { tone: 'bad', label: 'No answer in time' },
  unreachable: { tone: 'bad', label: 'Not reached' },
};

const STATUSES: Record<DeliveryStatus, { tone: Tone; label: string }> = {
  waiting: { tone: 'busy', label: 'Waiting' },
  delivered: { tone: 'good', label: 'Delivered' },
  failed: { tone: 'bad', label: 'Failed' },
  held: { tone: 'warn', label: 'Held' },
};

export const StatusBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>
);

/** One attempt: when, how it ended, and what the endpoint answered. */
export function AttemptView({ attempt }: { attempt: DeliveryAttempt }) {
  const { tone, label } = OUTCOMES[attempt.outcome];
  return (
    <div className={styles.attempt}>
      <div className={styles.row}>
        <Badge tone={tone}>{label}</Badge>
        {attempt.status !== null && <span>HTTP {attempt.status}</span>}
        <span className={styles.note}>
          <Time at={attempt.at} />, {describeDuration(attempt.latencyMs)}
        </span>
      </div>
      {attempt.error && <p>{attempt.error}</p>}
      {attempt.response && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as one.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it.
        <div role="group" aria-label="Beginning of the answer" className={styles.answer} tabIndex={0}>
          {attempt.response}
        </div>
      )}
    </div>
  );
}
