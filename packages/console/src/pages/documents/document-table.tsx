import { isRedpenError } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useKeyPath } from '../../shell/key-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ActionMenu, type MenuEntry } from '../../ui/menu.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { formatNumber } from '../../ui/time.ts';
import styles from './documents.module.css';
import { ACCESS } from './place-dialogs.tsx';
import { type DocumentCounts, useCounts } from './use-counts.ts';
import { type DocumentOfList, pathOfDocument } from './use-places.ts';

/** In place of a number that could not be read. */
export function Uncounted({ error }: { error: Error }) {
  const sentence =
    isRedpenError(error) && error.httpStatus === undefined ? 'The service does not answer.' : error.message;
  return (
    <span title={sentence}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">Unknown: {sentence}</span>
    </span>
  );
}

const nameOf = ({ documentName, id }: DocumentOfList): string => documentName || id;

function columnsOf(
  toDocument: (documentId: string) => string,
  counts: ReadonlyMap<string, DocumentCounts> | undefined,
  failure: Error | null,
  entriesOf: ((document: DocumentOfList) => MenuEntry[]) | undefined,
): Column<DocumentOfList>[] {
  const number = (value: number | undefined) => (
    <span className={value === 0 ? styles.none : undefined}>
      {value !== undefined ? formatNumber(value) : failure ? <Uncounted error={failure} /> : '…'}
    </span>
  );
  const columns: Column<DocumentOfList>[] = [
    {
      id: 'name',
      header: 'Document',
      kind: 'main',
      cell: (document) => {
        const unread = counts?.get(document.id)?.unread ?? 0;
        return (
          <span className={styles.name}>
            <Link to={toDocument(document.id)}>{nameOf(document)}</Link>
            {unread > 0 && <Badge tone="busy">{formatNumber(unread)} unread</Badge>}
            {document.disabled && <Badge tone="warn">Disabled</Badge>}
          </span>
        );
      },
    },
    {
      id: 'access',
      header: 'Who may open it',
      cell: ({ accessType }) => ACCESS[accessType].label,
    },
    {
      id: 'open',
      header: 'Open threads',
      kind: 'end',
      cell: ({ id }) => number(counts?.get(id)?.open),
    },
    {
      id: 'suggestions',
      header: 'To decide',
      kind: 'end',
      cell: ({ id }) => number(counts?.get(id)?.suggestions),
    },
  ];
  if (entriesOf)
    columns.push({
      id: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (document) => (
        <ActionMenu
          label={`Actions on ${nameOf(document)}`}
          trigger={
            <IconButton label={`Actions on ${nameOf(document)}`} size="small">
              <MoreHorizontal />
            </IconButton>
          }
          entries={entriesOf(document)}
        />
      ),
    });
  return columns;
}

/** Documents with what is open on them. */
export function DocumentTable({
  organizationId,
  documents,
  entriesOf,
}: {
  organizationId: string;
  documents: readonly DocumentOfList[];
  entriesOf: ((document: DocumentOfList) => MenuEntry[]) | undefined;
}) {
  const to = useKeyPath();
  const counts = useCounts(
    organizationId,
    documents.map(({ id }) => id),
  );
  return (
    <>
      {counts.error && (
        <div className={styles.uncounted}>
          <Failure error={counts.error} onRetry={() => void counts.refetch()} />
        </div>
      )}
      <DataTable
        label="Documents"
        columns={columnsOf(
          (id) => to(pathOfDocument(organizationId, id)),
          counts.data,
          counts.error,
          entriesOf,
        )}
        rows={documents}
        keyOf={({ id }) => id}
      />
    </>
  );
}
