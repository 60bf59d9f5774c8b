import type { ReviewRecord } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';
import { Files } from 'lucide-react';
import { useMemo } from 'react';
import { pathOf } from '../../../findings/finding-text.ts';
import { Badge, SeverityBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, EmptyState, Loading } from '../../../ui/page.tsx';
import { DataTable } from '../../../ui/table.tsx';
import type { RunFinding } from '../data/merge-run.ts';
import type { RunReport } from '../data/use-report.ts';
import type { RunSearch } from '../run-search.ts';
import styles from './pages-tab.module.css';

const SHOWN = 200;

interface PagesTabProps {
  review: ReviewRecord;
  report: RunReport | undefined;
  findings: readonly RunFinding[];
  onSearch: (change: Partial<RunSearch>) => void;
}

const STATES = {
  reviewed: { tone: 'good', label: 'Reviewed' },
  skipped: { tone: 'neutral', label: 'Skipped' },
  failed: { tone: 'bad', label: 'Failed' },
} as const;

/** The pages of a review, with what was found on each, and why some were not reviewed. */
export function PagesTab({ review, report, findings, onSearch }: PagesTabProps) {
  const byPage = useMemo(() => Map.groupBy(findings, ({ page }) => page), [findings]);
  const names = new Map(review.agents.map(({ agentId, name }) => [agentId, name]));
  if (!report) return <Loading />;
  if (report.pages.length === 0)
    return (
      <EmptyState icon={Files} title="No pages yet">
        Pages are listed as soon as the review has planned them.
      </EmptyState>
    );
  const isRunning = review.status === 'running';
  return (
    <>
      <Card isFlush>
        <DataTable
          label="Pages"
          rows={report.pages.slice(0, SHOWN)}
          keyOf={({ url }) => url}
          columns={[
            {
              id: 'page',
              header: 'Page',
              kind: 'main',
              cell: ({ url, problems }) => (
                <>
                  <button
                    type="button"
                    className={styles.page}
                    onClick={() =>
                      onSearch({ tab: 'findings', page: url, isPageOnly: true, finding: undefined })
                    }
                  >
                    {pathOf(url)}
                  </button>
                  {!isRunning &&
                    problems.map(({ agentId, message }) => (
                      <p key={agentId} className={styles.problem}>
                        {names.get(agentId) ?? agentId}: {message}
                      </p>
                    ))}
                </>
              ),
            },
            {
              id: 'state',
              header: 'State',
              kind: 'tight',
              cell: ({ status }) =>
                isRunning && status !== 'reviewed' ? (
                  <Badge tone="busy">Waiting</Badge>
                ) : (
                  <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>
                ),
            },
            {
              id: 'findings',
              header: 'Findings',
              cell: ({ url }) => <Severities findings={byPage.get(url) ?? []} />,
            },
          ]}
        />
      </Card>
      {report.pages.length > SHOWN && (
        <p className={styles.note}>
          The first {SHOWN} of {report.pages.length} pages. The report lists all of them.
        </p>
      )}
      <div>
        <Button size="small" onPress={() => onSearch({ tab: 'findings', isPageOnly: false })}>
          Show the findings of all pages
        </Button>
      </div>
    </>
  );
}

const Severities = ({ findings }: { findings: readonly RunFinding[] }) => {
  const groups = Map.groupBy(findings, ({ severity }) => severity);
  return (
    <span className={styles.severities}>
      {SEVERITIES.filter((one) => groups.has(one)).map((one) => (
        <SeverityBadge key={one} severity={one} count={groups.get(one)!.length} />
      ))}
      {findings.length === 0 && <span className={styles.none}>None</span>}
    </span>
  );
};
