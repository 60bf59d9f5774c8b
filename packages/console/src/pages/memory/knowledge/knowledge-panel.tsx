import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { AddressSearch } from '../../../data/address-field.tsx';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { formatNumber, plural, Time } from '../../../ui/time.ts';
import styles from '../memory.module.css';
import { MEMORY } from '../memory-data.ts';
import { useMemoryAddress } from '../use-memory-address.ts';
import { KnowledgeActions } from './knowledge-actions.tsx';
import { KNOWLEDGE, type KnowledgeSource } from './knowledge-data.ts';
import { KnowledgeDialog } from './knowledge-dialog.tsx';
import { UploadButton } from './upload-button.tsx';

/** Files are read in the background; the list is read again until that is done. */
const REREAD_MS = 1_500;

/** The files that agents check pages against. */
export function KnowledgePanel() {
  const [opened, setOpened] = useState<KnowledgeSource>();
  const sources = useKeyQuery(KNOWLEDGE, (redpen, signal) => redpen.knowledge.list({}, { signal }), {
    refetchInterval: (found) =>
      found?.some(({ embeddingStatus }) => embeddingStatus === 'processing') ? REREAD_MS : false,
  });
  return (
    <>
      <div className={styles.head}>
        <p className={styles.muted}>Style guides, rules and price lists that pages are checked against.</p>
        <UploadButton />
      </div>
      <QueryView query={sources}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={BookOpen} title="No knowledge yet">
              Upload a style guide or a price list: agents that use the memory then report what contradicts
              it.
            </EmptyState>
          ) : (
            <>
              <KnowledgeSearch sources={found} />
              <SourceTable sources={found} onOpen={setOpened} />
            </>
          )
        }
      </QueryView>
      {opened && <KnowledgeDialog source={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

const STATES = {
  processing: { text: 'Being read', tone: 'busy' },
  completed: { text: 'Ready', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
} as const;

function SourceTable({
  sources,
  onOpen,
}: {
  sources: readonly KnowledgeSource[];
  onOpen: (source: KnowledgeSource) => void;
}) {
  return (
    <Card isFlush>
      <DataTable
        label="Knowledge files"
        rows={sources}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'file',
            header: 'File',
            kind: 'main',
            cell: (source) => (
              <>
                <button type="button" className={styles.link} onClick={() => onOpen(source)}>
                  {source.fileName}
                </button>
                <div className={styles.small}>
                  {source.metadata?.message ??
                    [source.organizationId ?? 'All organizations', source.documentId]
                      .filter(Boolean)
                      .join(' / ')}
                </div>
              </>
            ),
          },
          {
            id: 'state',
            header: 'State',
            kind: 'tight',
            cell: ({ embeddingStatus }) => (
              <Badge tone={STATES[embeddingStatus].tone}>{STATES[embeddingStatus].text}</Badge>
            ),
          },
          {
            id: 'rules',
            header: 'Rules',
            kind: 'end',
            cell: ({ ruleCount }) => formatNumber(ruleCount),
          },
          {
            id: 'uploaded',
            header: 'Uploaded',
            kind: 'tight',
            cell: ({ uploadedAt }) => <Time at={uploadedAt} />,
          },
          {
            id: 'actions',
            header: 'Actions',
            isHeaderHidden: true,
            kind: 'tight',
            cell: (source) => <KnowledgeActions source={source} onOpen={() => onOpen(source)} />,
          },
        ]}
      />
    </Card>
  );
}

function KnowledgeSearch({ sources }: { sources: readonly KnowledgeSource[] }) {
  const [{ q = '' }, setAddress] = useMemoryAddress();
  const query = q.trim();
  const search = useKeyQuery(
    [...MEMORY, 'knowledge-search', query],
    (redpen, signal) => redpen.knowledge.search({ query, limit: 10, includeRules: true }, { signal }),
    { enabled: query !== '', keepsPrevious: true },
  );
  return (
    <>
      <AddressSearch
        label="Search in the files by meaning"
        value={q}
        onChange={(next) => setAddress({ q: next })}
      />
      {query !== '' && (
        <QueryView query={search}>
          {({ results }) => (
            <Card title={plural(results.length, 'passage')} isFlush>
              <ul className={styles.items}>
                {results.map(({ text, sourceId, category, ruleId }, index) => (
                  <li key={ruleId ?? `${sourceId} ${index} ${text.slice(0, 40)}`}>
                    <p>{text}</p>
                    <span className={styles.small}>
                      {[sources.find(({ id }) => id === sourceId)?.fileName, category]
                        .filter(Boolean)
                        .join(', ')}
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </QueryView>
      )}
    </>
  );
}
