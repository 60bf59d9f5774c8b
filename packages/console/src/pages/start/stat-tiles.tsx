import type { AgentAnalyticsDay } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { useKeyPath } from '../../shell/key-path.ts';
import { describeDuration, formatNumber } from '../../ui/time.ts';
import styles from './start.module.css';
import { type Range, totalsOf } from './start-data.ts';

/** The numbers of the range, each leading to where they come from. */
export function StatTiles({ days, range }: { days: readonly AgentAnalyticsDay[]; range: Range }) {
  const to = useKeyPath();
  const { open, grave, found, fixed, runs, medianMs, tokens, cost } = totalsOf(days);
  return (
    <div className={styles.tiles}>
      <Link className={styles.tile} to={to('/findings')}>
        <span>Open findings</span>
        <b>{formatNumber(open)}</b>
        <span>{formatNumber(grave)} critical or high</span>
      </Link>
      <div className={styles.tile}>
        <span>Fixed in {range} days</span>
        <b>{formatNumber(fixed)}</b>
        <span>{formatNumber(found)} new</span>
      </div>
      <Link className={styles.tile} to={to('/reviews')}>
        <span>Runs in {range} days</span>
        <b>{formatNumber(runs)}</b>
        <span>{medianMs === undefined ? 'none has ended' : `median ${describeDuration(medianMs)}`}</span>
      </Link>
      {tokens > 0 && (
        <div className={styles.tile}>
          <span>Tokens of models</span>
          <b>{formatNumber(tokens)}</b>
          <span>{cost === undefined ? 'no prices are set' : `cost ${cost.toFixed(2)}`}</span>
        </div>
      )}
    </div>
  );
}
