import type { Judgment } from '@redpen/client';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { AddressInput, AddressSearch } from '../../../data/address-field.tsx';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { AssistantBadge, Badge } from '../../../ui/badge.tsx';
import { SelectInput } from '../../../ui/field.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { plural, Time } from '../../../ui/time.ts';
import styles from '../memory.module.css';
import { DECISIONS, listRequest, searchRequest } from '../memory-address.ts';
import { assistantOf, decisionOf, MEMORY, originOf, percent } from '../memory-data.ts';
import { useMemoryAddress } from '../use-memory-address.ts';
import { JudgmentDialog } from './judgment-dialog.tsx';

type Found = Judgment & { similarity?: number };

/** The judgments of the memory, the newest or those that are nearest to words. */
export function JudgmentsPanel() {
  const [address] = useMemoryAddress();
  const [opened, setOpened] = useState<Judgment>();
  const judgments = useKeyQuery<Found[]>(
    [...MEMORY, 'judgments', address],
    async (redpen, signal) =>
      address.q
        ? (await redpen.memory.search(searchRequest(address), { signal })).results
        : (await redpen.judgments.query(listRequest(address), { signal })).results,
    { keepsPrevious: true },
  );
  const isFiltered = Object.keys(address).some((name) => name !== 'tab');
  return (
    <>
      <Filters />
      <QueryView query={judgments}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={Scale} title={isFiltered ? 'Nothing matches' : 'No judgments yet'}>
              {isFiltered
                ? 'No judgment has these words and filters.'
                : 'Accept or reject a finding with a reason, and it is remembered here.'}
            </EmptyState>
          ) : (
            <>
              <p className={styles.small} role="status">
                {address.q ? 'The nearest first: ' : 'The newest first: '}
                {plural(found.length, 'judgment')}
              </p>
              <JudgmentTable judgments={found} onOpen={setOpened} />
            </>
          )
        }
      </QueryView>
      {opened && <JudgmentDialog judgment={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

const ANY = 'any';

function Filters() {
  const [address, setAddress] = useMemoryAddress();
  return (
    <div className={styles.filters}>
      <AddressSearch
        label="Search judgments by meaning"
        value={address.q ?? ''}
        onChange={(q) => setAddress({ q })}
      />
      <SelectInput
        label="Decision"
        choices={[
          { id: ANY, label: 'Any decision' },
          ...DECISIONS.map((id) => ({ id, label: decisionOf(id).text })),
        ]}
        value={address.decision ?? ANY}
        onChange={(decision) => setAddress({ decision: decision === ANY ? '' : decision })}
      />
      <SelectInput
        label="Decided by"
        choices={[
          { id: ANY, label: 'Anyone' },
          { id: 'human', label: 'People' },
          { id: 'agent', label: 'Agents' },
        ]}
        value={address.judge ?? ANY}
        onChange={(judge) =>
          setAddress({ judge: judge === 'human' || judge === 'agent' ? judge : undefined })
        }
      />
      <AddressInput
        label="User id"
        value={address.reviewer ?? ''}
        onChange={(reviewer) => setAddress({ reviewer })}
      />
      <AddressInput
        label="Organization id"
        value={address.organization ?? ''}
        onChange={(organization) => setAddress({ organization })}
      />
    </div>
  );
}

function JudgmentTable({
  judgments,
  onOpen,
}: {
  judgments: readonly Found[];
  onOpen: (judgment: Judgment) => void;
}) {
  return (
    <Card isFlush>
      <DataTable
        label="Judgments"
        rows={judgments}
        keyOf={({ recordId }) => recordId}
        columns={[
          {
            id: 'decision',
            header: 'Decision',
            kind: 'tight',
            cell: ({ decision }) => (
              <Badge tone={decisionOf(decision).tone}>{decisionOf(decision).text}</Badge>
            ),
          },
          {
            id: 'why',
            header: 'Reason',
            kind: 'main',
            cell: (judgment) => (
              <>
                <button
                  type="button"
                  className={`${styles.link} ${styles.clamped}`}
                  onClick={() => onOpen(judgment)}
                >
                  {judgment.reasoning || 'No reason was given'}
                </button>
                {judgment.content && (
                  <q className={`${styles.quote} ${styles.clamped}`}>{judgment.content}</q>
                )}
              </>
            ),
          },
          {
            id: 'who',
            header: 'By',
            kind: 'tight',
            cell: (judgment) => {
              const assistant = assistantOf(judgment);
              return (
                <>
                  {judgment.actionUser.name || judgment.actionUser.userId}
                  {judgment.judgeType === 'agent' && (
                    <div className={styles.small}>
                      {assistant === undefined ? 'Agent' : <AssistantBadge name={assistant} />}
                    </div>
                  )}
                </>
              );
            },
          },
          {
            id: 'where',
            header: 'Where',
            kind: 'tight',
            cell: ({ organizationId, documentId, origin, similarity }) => (
              <>
                {documentId ?? organizationId ?? 'Everywhere'}
                <div className={styles.small}>
                  {originOf(origin)}
                  {similarity !== undefined && `, ${percent(Math.max(0, similarity))} alike`}
                </div>
              </>
            ),
          },
          { id: 'when', header: 'When', kind: 'tight', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Card>
  );
}
