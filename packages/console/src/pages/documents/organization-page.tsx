import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilePlus, FileText, FolderPlus, SearchX, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SearchInput } from '../../ui/field.tsx';
import { Card, EmptyState, Loading, Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { plural } from '../../ui/time.ts';
import { DocumentTable } from './document-table.tsx';
import styles from './documents.module.css';
import { FolderList } from './folder-list.tsx';
import { linesOf } from './folders.ts';
import { type Asked, OrganizationDialogs } from './organization-dialogs.tsx';
import { useDocuments, useFolders, useOrganization, usePlace } from './use-places.ts';

/** Rows that are shown at once. */
const STEP = 100;

const callsOf = (organizationId: string, folderId: string | undefined) => [
  {
    title: 'List documents',
    path: '/v2/organizations/documents/get',
    name: 'documents.list',
    data: { organizationId, ...(folderId !== undefined && { folderId }) },
  },
  {
    title: 'List folders',
    path: '/v2/organizations/folders/get',
    name: 'folders.list',
    data: { organizationId, maxDepth: 30 },
  },
  {
    title: 'Add a document',
    path: '/v2/organizations/documents/add',
    name: 'documents.add',
    data: { organizationId, documents: [{ documentId: 'website', documentName: 'Our website' }] },
  },
];

function Documents({ folderId, ask }: { folderId: string | undefined; ask: (asked: Asked) => void }) {
  const { organizationId } = usePlace();
  const [text, setText] = useState('');
  const [most, setMost] = useState(STEP);
  const mayChange = useMay('editor');
  const list = useDocuments(organizationId, folderId);
  const { items, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const words = text.trim().toLowerCase();
  useEffect(() => {
    // The service has no search by name, so a search needs the whole list. After a failure the person tries again.
    if (words !== '' && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [words, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const create = mayChange && (
    <Button onPress={() => ask({ kind: 'new-document' })}>
      <FilePlus /> New document
    </Button>
  );
  if (items.length === 0)
    return (
      <EmptyState icon={FileText} title="No document here yet" action={create}>
        A document holds the comments and findings of one site, text or application. Reviews can write their
        findings on it, and the overlay shows it on your page.
      </EmptyState>
    );
  const found = items.filter(({ id, documentName }) => `${id} ${documentName}`.toLowerCase().includes(words));
  return (
    <>
      <div className={styles.search}>
        <SearchInput label="Search documents" value={text} onChange={setText} />
        <p className={styles.sum} aria-live="polite">
          {plural(found.length, 'document')}
          {hasNextPage && ' so far'}
        </p>
      </div>
      {found.length === 0 ? (
        <EmptyState icon={SearchX} title="No document has this name" />
      ) : (
        <Card isFlush>
          <DocumentTable
            organizationId={organizationId}
            documents={found.slice(0, most)}
            entriesOf={
              mayChange
                ? (document) => [
                    { id: 'rename', label: 'Rename', onAction: () => ask({ kind: 'rename', document }) },
                    { id: 'move', label: 'Move', onAction: () => ask({ kind: 'move', document }) },
                    {
                      id: 'delete',
                      label: 'Delete',
                      isDanger: true,
                      onAction: () => ask({ kind: 'delete', document }),
                    },
                  ]
                : undefined
            }
          />
        </Card>
      )}
      {isFetchNextPageError && <Failure error={list.error} onRetry={() => void fetchNextPage()} />}
      {(found.length > most || hasNextPage) && (
        <Button
          isPending={isFetchingNextPage}
          onPress={() => {
            setMost(most + STEP);
            if (found.length <= most + STEP && hasNextPage) void fetchNextPage();
          }}
        >
          Show more
        </Button>
      )}
    </>
  );
}

function useFolderOfAddress(): string | undefined {
  const { folder } = useSearch({ strict: false }) as { folder?: unknown };
  return folder === undefined ? undefined : String(folder);
}

/** An organization: its folders and documents. */
export function OrganizationPage() {
  const { organizationId } = usePlace();
  const to = useKeyPath();
  const navigate = useNavigate();
  const folderId = useFolderOfAddress();
  const mayChange = useMay('editor');
  const [asked, ask] = useState<Asked>();
  const organization = useOrganization(organizationId);
  const folders = useFolders(organizationId);
  const lines = linesOf(folders.data ?? []);
  const name = organization.data?.organizationName ?? organizationId;
  return (
    <Page
      title={name}
      crumbs={[{ label: 'Documents', to: to('/documents') }]}
      lead={
        organization.data?.disabled ? 'This organization is disabled: its users cannot open it.' : undefined
      }
      actions={
        <>
          <ShowAsCode calls={callsOf(organizationId, folderId)} />
          <LinkButton variant="quiet" to={to('/people')} search={{ organization: organizationId } as never}>
            <UsersRound /> People and access
          </LinkButton>
          {mayChange && organization.data && (
            <>
              <Button onPress={() => ask({ kind: 'new-folder' })}>
                <FolderPlus /> New folder
              </Button>
              <Button variant="primary" onPress={() => ask({ kind: 'new-document' })}>
                <FilePlus /> New document
              </Button>
            </>
          )}
        </>
      }
    >
      {organization.data === null ? (
        <EmptyState icon={SearchX} title="There is no such organization">
          The API key has no organization with the id {organizationId}.
        </EmptyState>
      ) : (
        <div className={styles.split}>
          {folders.error ? (
            <Failure error={folders.error} onRetry={() => void folders.refetch()} />
          ) : (
            <FolderList
              lines={lines}
              current={folderId}
              entriesOf={
                mayChange
                  ? ({ folder }) => [
                      {
                        id: 'rename',
                        label: 'Rename',
                        onAction: () => ask({ kind: 'rename-folder', folder }),
                      },
                      { id: 'move', label: 'Move', onAction: () => ask({ kind: 'move-folder', folder }) },
                      {
                        id: 'delete',
                        label: 'Delete',
                        isDanger: true,
                        onAction: () => ask({ kind: 'delete-folder', folder }),
                      },
                    ]
                  : undefined
              }
            />
          )}
          <div className={styles.column}>
            <Documents key={folderId} folderId={folderId} ask={ask} />
          </div>
        </div>
      )}
      <OrganizationDialogs
        organizationId={organizationId}
        lines={lines}
        current={folderId}
        asked={asked}
        onClose={() => ask(undefined)}
        onDeleted={() => void navigate({ search: {} as never } as never)}
      />
    </Page>
  );
}
