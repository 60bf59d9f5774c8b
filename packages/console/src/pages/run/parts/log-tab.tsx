import type { ReviewRecord } from '@redpen/client';
import { ScrollText } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { AddressSearch } from '../../../data/address-field.tsx';
import { askOnce, isAway, pause } from '../../../data/ask-once.ts';
import { useRedpen } from '../../../session/session.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { SelectInput } from '../../../ui/field.tsx';
import { EmptyState, Loading } from '../../../ui/page.tsx';
import { plural } from '../../../ui/time.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { followLogs, type RunLogLine, withLines } from '../data/run-log.ts';
import type { RunSearch } from '../run-search.ts';
import styles from './log-tab.module.css';

const PATH = '/v2/agents/execution/events';

/** The log of the runs of one agent, or of all agents. */
function useLog({ executions }: ReviewRecord, agent: string | undefined) {
  const redpen = useRedpen();
  const [lines, setLines] = useState<readonly RunLogLine[]>([]);
  const [isWhole, setWhole] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const ids = executions
    .filter(({ agentId }) => agent === undefined || agentId === agent)
    .map(({ executionId }) => executionId)
    .join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the executions of a review do not change, only their states.
  useEffect(() => {
    const stopping = new AbortController();
    const runs = executions.filter(({ executionId }) => ids.split(' ').includes(executionId));
    setLines([]);
    setWhole(false);
    setFailure(undefined);
    const options = {
      read: (executionId: string, after: string | null, waitMs: number, signal: AbortSignal) =>
        askOnce<{ events: RunLogLine[]; next: string | null; done: boolean }>(
          redpen,
          PATH,
          { executionId, after, waitMs, limit: 500 },
          signal,
        ),
      isAway,
      pause,
      onLines: (more: readonly RunLogLine[]) => setLines((before) => withLines(before, more)),
    };
    followLogs(runs, options, stopping.signal).then(
      () => !stopping.signal.aborted && setWhole(true),
      (error: unknown) => !stopping.signal.aborted && setFailure(error),
    );
    return () => stopping.abort();
  }, [ids, redpen]);
  return { lines, isWhole, failure };
}

const heightOf = (): number => 27;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function LogTab({
  review,
  search,
  onSearch,
}: {
  review: ReviewRecord;
  search: RunSearch;
  onSearch: (change: Partial<RunSearch>) => void;
}) {
  const { lines, isWhole, failure } = useLog(review, search.agent);
  const text = search.text.trim().toLowerCase();
  const shown = useMemo(
    () =>
      lines.filter(
        ({ message, agentName }) =>
          text === '' || message.toLowerCase().includes(text) || agentName.toLowerCase().includes(text),
      ),
    [lines, text],
  );
  const agents = [
    { id: '', label: 'All agents' },
    ...review.agents.map(({ agentId, name }) => ({ id: agentId, label: name })),
  ];
  return (
    <div className={styles.tab}>
      <div className={styles.filters}>
        <AddressSearch
          label="Find in the log"
          value={search.text}
          onChange={(next) => onSearch({ text: next })}
        />
        <div className={styles.select}>
          <SelectInput
            label="Agent"
            isLabelHidden
            choices={agents}
            value={search.agent ?? ''}
            onChange={(agent) => onSearch({ agent: agent || undefined })}
          />
        </div>
        <span className={styles.count} role="status">
          {text === '' ? plural(lines.length, 'line') : `${shown.length} of ${plural(lines.length, 'line')}`}
        </span>
      </div>
      {failure !== undefined && <Failure error={failure} />}
      {shown.length > 0 && (
        <div className={styles.log}>
          <VirtualList label="Log" rows={shown} heightOf={heightOf} followsEnd={review.status === 'running'}>
            {(line) => <Line line={line} showsAgent={search.agent === undefined} />}
          </VirtualList>
        </div>
      )}
      {shown.length === 0 &&
        (isWhole || text !== '' ? (
          <EmptyState icon={ScrollText} title="No lines">
            {text === '' ? 'The runs wrote nothing into the log.' : 'No line has these words.'}
          </EmptyState>
        ) : (
          failure === undefined && <Loading rows={6} />
        ))}
    </div>
  );
}

const Line = ({ line, showsAgent }: { line: RunLogLine; showsAgent: boolean }) => (
  <div className={styles.line} data-level={line.level}>
    <time dateTime={new Date(line.at).toISOString()}>{clock.format(line.at)}</time>
    {showsAgent && <span className={styles.agent}>{line.agentName}</span>}
    <span className={styles.message}>
      {line.level !== 'info' && <b>{line.level === 'warn' ? 'Warning: ' : 'Error: '}</b>}
      {line.message}
    </span>
  </div>
);
