import type { AgentAnalyticsDay } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { BarChart } from '../../../charts/bar-chart.tsx';
import { CHANGE_SERIES, changePoints, RUN_SERIES, runPoints } from '../../../charts/day-points.ts';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Card } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { formatNumber } from '../../../ui/time.ts';
import { AGENTS } from '../agents-data.ts';
import styles from './use.module.css';
import { shareOf, totalsOf } from './use-data.ts';

const MOST = 1_000;

/** How many findings of the agent people accepted or resolved, and how many they rejected. */
const useDecisions = (agentId: string) =>
  useKeyQuery([...AGENTS, 'decisions', agentId], async (redpen, signal) => {
    const count = async (decision: ('accepted' | 'resolved' | 'rejected')[]): Promise<number> => {
      const state: ('new' | 'still_there' | 'fixed')[] = ['new', 'still_there', 'fixed'];
      return (await redpen.findings.all({ agentId, decision, state }, { signal, max: MOST })).length;
    };
    const [accepted, rejected] = await Promise.all([count(['accepted', 'resolved']), count(['rejected'])]);
    return { accepted, rejected };
  });

/** What came of the runs of an agent in the last 30 days, and what people thought of its findings. */
export function UsePanel({ agentId, executionCount }: { agentId: string; executionCount: number }) {
  const series = useKeyQuery([...AGENTS, 'series', agentId], (redpen, signal) =>
    redpen.analytics.series(
      { agentId, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      { signal },
    ),
  );
  return (
    <QueryView query={series}>
      {({ days }) => (
        <>
          <Tiles agentId={agentId} days={days} executionCount={executionCount} />
          <div className={styles.charts}>
            <Card title="Runs by day">
              <BarChart label="Runs by day and result" points={runPoints(days)} series={RUN_SERIES} />
            </Card>
            <Card title="Findings by day">
              <BarChart
                label="New and fixed findings by day"
                points={changePoints(days)}
                series={CHANGE_SERIES}
              />
            </Card>
          </div>
        </>
      )}
    </QueryView>
  );
}

function Tiles({
  agentId,
  days,
  executionCount,
}: {
  agentId: string;
  days: readonly AgentAnalyticsDay[];
  executionCount: number;
}) {
  const to = useKeyPath();
  const { data: decisions } = useDecisions(agentId);
  const { runs, open, tokens } = totalsOf(days);
  const share = decisions && shareOf(decisions);
  return (
    <div className={styles.tiles}>
      <div className={styles.tile}>
        <span>Runs in 30 days</span>
        <b>{formatNumber(runs)}</b>
        <span>{formatNumber(executionCount)} in all</span>
      </div>
      <Link className={styles.tile} to={to('/findings')} search={{ agent: agentId } as never}>
        <span>Open findings</span>
        <b>{formatNumber(open)}</b>
        <span>undecided or accepted</span>
      </Link>
      <div className={styles.tile}>
        <span>Accepted by people</span>
        <b>{share === undefined ? '–' : `${share}%`}</b>
        <span>
          {decisions
            ? `${formatNumber(decisions.accepted)} accepted, ${formatNumber(decisions.rejected)} rejected`
            : 'of the decided findings'}
        </span>
      </div>
      {tokens > 0 && (
        <div className={styles.tile}>
          <span>Tokens in 30 days</span>
          <b>{formatNumber(tokens)}</b>
          <span>of language models</span>
        </div>
      )}
    </div>
  );
}
