import type { AgentAnalyticsDay } from '@redpen/client';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { ScanSearch } from 'lucide-react';
import { BarChart } from '../../charts/bar-chart.tsx';
import { CHANGE_SERIES, changePoints, RUN_SERIES, runPoints } from '../../charts/day-points.ts';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useKeyPath } from '../../shell/key-path.ts';
import { LinkButton } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Card, Loading, Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { LastReviews } from './last-reviews.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import styles from './start.module.css';
import { openPoints, RANGES, type Range, rangeOf } from './start-data.ts';
import { StatTiles } from './stat-tiles.tsx';
import { WorstPages } from './worst-pages.tsx';

const DAY_MS = 86_400_000;

/** The range as the API takes it: the first day, in the time zone of the browser. */
function seriesRequest(days: Range) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const from = new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now() - (days - 1) * DAY_MS);
  return { from, timeZone };
}

const CHOICES = RANGES.map((days) => ({ id: String(days), label: `${days} days` }));

/** What happened lately: open findings, runs and what was fixed, and what needs attention. */
export function StartPage() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const to = useKeyPath();
  const days = rangeOf(search);
  const request = seriesRequest(days);
  const reviews = useKeyQuery(
    ['reviews', 'last'],
    (redpen, signal) => redpen.reviews.list({ pageSize: 6 }, { signal }),
    { refetchInterval: 15_000 },
  );
  const series = useKeyQuery(
    ['series', request],
    (redpen, signal) => redpen.analytics.series(request, { signal }),
    { keepsPrevious: true },
  );
  // What was read before the first review says nothing about now.
  if (reviews.data?.reviews.length === 0 && !reviews.isFetching)
    return <Navigate to={to('/welcome')} replace />;
  return (
    <Page
      title="Start"
      actions={
        <>
          <ShowAsCode
            calls={[
              {
                title: 'Runs, findings and durations by day',
                path: '/v2/agents/analytics/series',
                name: 'analytics.series',
                data: request,
              },
            ]}
          />
          <div className={styles.range}>
            <SelectInput
              label="Range"
              isLabelHidden
              choices={CHOICES}
              value={String(days)}
              onChange={(chosen) =>
                void navigate({ to: '.', search: { days: Number(chosen) } as never, resetScroll: false })
              }
            />
          </div>
          <LinkButton to={to('/welcome')} variant="primary">
            <ScanSearch /> Review a page
          </LinkButton>
        </>
      }
    >
      <NeedsAttention />
      <QueryView query={series} loading={<Loading rows={8} />}>
        {({ days: found }) => <Overview days={found} range={days} />}
      </QueryView>
      {/* What is below would move when the charts, which are higher than their placeholder, take its place. */}
      {!series.isPending && (
        <QueryView query={reviews} loading={<Loading rows={4} />}>
          {({ reviews: last }) => <LastReviews reviews={last} />}
        </QueryView>
      )}
    </Page>
  );
}

function Overview({ days, range }: { days: readonly AgentAnalyticsDay[]; range: Range }) {
  return (
    <>
      <StatTiles days={days} range={range} />
      <div className={styles.charts}>
        <div className={styles.wide}>
          <Card title="Open findings by severity">
            <BarChart
              label="Open findings by day and severity"
              points={openPoints(days)}
              series={[
                { name: 'Critical', tone: 'critical' },
                { name: 'High', tone: 'high' },
                { name: 'Medium', tone: 'medium' },
                { name: 'Low', tone: 'low' },
                { name: 'Info', tone: 'info' },
              ]}
            />
          </Card>
        </div>
        <Card title="Found and fixed">
          <BarChart
            label="New and fixed findings by day"
            points={changePoints(days)}
            series={CHANGE_SERIES}
          />
        </Card>
        <Card title="Runs of agents">
          <BarChart label="Runs by day and result" points={runPoints(days)} series={RUN_SERIES} />
        </Card>
        <div className={styles.wide}>
          <WorstPages />
        </div>
      </div>
    </>
  );
}
