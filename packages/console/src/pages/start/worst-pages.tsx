import { Link } from '@tanstack/react-router';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useKeyPath } from '../../shell/key-path.ts';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { formatNumber } from '../../ui/time.ts';
import styles from './start.module.css';
import { type PageLoad, worstPages } from './start-data.ts';

const READ = 200;
const SHOWN = 6;

/** The pages with the most open findings, among the findings that were seen last. */
export function WorstPages() {
  const to = useKeyPath();
  const findings = useKeyQuery(['findings', 'worst'], (redpen, signal) =>
    redpen.findings.list({ pageSize: READ }, { signal }),
  );
  const columns: readonly Column<PageLoad>[] = [
    {
      id: 'page',
      header: 'Page',
      kind: 'main',
      cell: ({ pageUrl }) => (
        <Link className={styles.place} to={to('/findings')} search={{ page: pageUrl } as never}>
          {pageUrl}
        </Link>
      ),
    },
    { id: 'grave', header: 'Critical or high', kind: 'end', cell: ({ grave }) => formatNumber(grave) },
    { id: 'all', header: 'Open findings', kind: 'end', cell: (load) => formatNumber(load.findings) },
  ];
  return (
    <QueryView query={findings}>
      {({ findings: open, nextPageToken }) => (
        <Card
          title="Pages with the most findings"
          lead={nextPageToken === undefined ? undefined : `Among the ${READ} findings that were seen last.`}
          isFlush
        >
          <DataTable
            label="Pages with the most findings"
            columns={columns}
            rows={worstPages(open, SHOWN)}
            keyOf={({ pageUrl }) => pageUrl}
          />
        </Card>
      )}
    </QueryView>
  );
}
