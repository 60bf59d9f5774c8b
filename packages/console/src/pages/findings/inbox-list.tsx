import { Inbox, SearchX } from 'lucide-react';
import { useCallback } from 'react';
import type { Decisions } from '../../findings/decide.ts';
import { useKeyPath } from '../../shell/key-path.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, Loading } from '../../ui/page.tsx';
import { ScrollList } from '../../ui/scroll-list.tsx';
import { ListHead } from '../../ui/split-view.tsx';
import { type InboxSearch, isNarrowed } from './finding-filter.ts';
import type { Change } from './inbox-filters.tsx';
import { Row } from './inbox-row.tsx';
import type { useInbox } from './use-inbox.ts';
import type { Triage } from './use-triage.ts';

const NOTHING: { [K in keyof InboxSearch]?: undefined } = {
  organization: undefined,
  document: undefined,
  agent: undefined,
  run: undefined,
  page: undefined,
  severity: undefined,
  rule: undefined,
  decision: undefined,
  state: undefined,
  text: undefined,
  days: undefined,
};

function Empty({ search, onClear }: { search: InboxSearch; onClear: () => void }) {
  const to = useKeyPath();
  return isNarrowed(search) ? (
    <EmptyState
      icon={SearchX}
      title="No finding fits these filters"
      action={<Button onPress={onClear}>Remove the filters</Button>}
    >
      Findings that are decided or fixed show if you ask for them.
    </EmptyState>
  ) : (
    <EmptyState
      icon={Inbox}
      title="Nothing is waiting"
      action={
        <LinkButton variant="primary" to={to('/reviews')}>
          Review a page
        </LinkButton>
      }
    >
      What agents find on your pages collects here, over all reviews, until you decide on it.
    </EmptyState>
  );
}

/** The rows that are in view, or what stands in their place. */
export function InboxList({
  inbox,
  triage: { rows, at, focused, selected, actions },
  decisions,
  search,
  change,
}: {
  inbox: ReturnType<typeof useInbox>;
  triage: Triage;
  decisions: Decisions;
  search: InboxSearch;
  change: Change;
}) {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = inbox;
  const onEnd = useCallback(() => {
    // After a failure the person tries again.
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (error && !data) return <Failure error={error} onRetry={() => void inbox.refetch()} />;
  if (!data) return <Loading rows={10} />;
  const isFlat = rows.every(({ kind }) => kind !== 'cause');
  if (rows.length === 0 && !hasNextPage) return <Empty search={search} onClear={() => change(NOTHING)} />;
  return (
    <ScrollList
      label="Findings"
      rows={rows}
      keyOf={({ key }) => key}
      estimate={57}
      focused={focused}
      onEnd={onEnd}
      foot={
        error ? (
          <Failure error={error} onRetry={() => void fetchNextPage()} />
        ) : (
          isFetchingNextPage && <ListHead>Reading more…</ListHead>
        )
      }
    >
      {(row, index) => {
        const count = row.findings.filter(({ id }) => selected.has(id)).length;
        return (
          <Row
            row={row}
            decisions={decisions}
            isCursor={index === Math.max(0, at)}
            isOpen={row.findings.some(({ id }) => id === search.finding)}
            isSelected={count === row.findings.length}
            isPartly={count > 0 && count < row.findings.length}
            isFlat={isFlat}
            actions={actions}
          />
        );
      }}
    </ScrollList>
  );
}
