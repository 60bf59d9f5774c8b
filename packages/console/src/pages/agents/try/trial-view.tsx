import { Link } from '@tanstack/react-router';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge, SeverityBadge } from '../../../ui/badge.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { describeDuration, plural } from '../../../ui/time.ts';
import styles from './try.module.css';
import type { Trial } from './use-trial.ts';

const VERDICTS: Record<string, { tone: 'good' | 'warn' | 'bad' | 'neutral'; text: string }> = {
  clean: { tone: 'good', text: 'Nothing found' },
  findings: { tone: 'warn', text: 'Findings' },
  incomplete: { tone: 'bad', text: 'Incomplete' },
  broken: { tone: 'bad', text: 'Could not run' },
};

/** The findings and the log of a trial. */
export function TrialView({ trial }: { trial: Trial }) {
  const { failure, ended, log, isRunning, reviewId } = trial;
  const to = useKeyPath();
  const last = log.at(-1);
  if (!isRunning && !ended && failure === undefined) return null;
  return (
    <div className={styles.result}>
      {failure !== undefined && <Failure error={failure} />}
      {isRunning && (
        <p className={styles.now} role="status">
          <Badge tone="busy">Running</Badge> <span>{last?.message ?? 'Waiting to start.'}</span>
        </p>
      )}
      {ended && (
        <div className={styles.verdict} role="status">
          <Badge tone={VERDICTS[ended.verdict ?? '']?.tone ?? 'neutral'}>
            {VERDICTS[ended.verdict ?? '']?.text ?? 'Ended'}
          </Badge>
          <span>
            {plural(ended.findings.length, 'finding')}
            {ended.durationMs !== null && ` in ${describeDuration(ended.durationMs)}`}
            {ended.heldBack > 0 && `, ${ended.heldBack} held back`}
          </span>
          {reviewId && <Link to={to(`/reviews/${reviewId}`)}>Open the review</Link>}
        </div>
      )}
      {ended?.error && <p className={styles.error}>{ended.error}</p>}
      {ended && ended.findings.length > 0 && (
        <ol className={styles.findings}>
          {ended.findings.map((finding) => (
            <li key={`${finding.executionId} ${finding.sourceUrl} ${finding.id}`}>
              <div className={styles.findingHead}>
                <SeverityBadge severity={finding.severity} />
                <b>{finding.title}</b>
              </div>
              {finding.targetText && <q className={styles.quote}>{finding.targetText}</q>}
              <p>{finding.description}</p>
              {finding.suggestion && <p className={styles.suggestion}>{finding.suggestion}</p>}
            </li>
          ))}
        </ol>
      )}
      {log.length > 0 && (
        <details className={styles.log} {...(isRunning && { open: true })}>
          <summary>{plural(log.length, 'line')} of the log</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it. */}
          <ol tabIndex={0} aria-label="Log">
            {log.map(({ id, at, level, message }) => (
              <li key={id} data-level={level}>
                <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time> {message}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
