import { Link } from '@tanstack/react-router';
import { Building2, MoreHorizontal, Plus } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation, useKeyPages, useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { useGo, useKeyPath } from '../../shell/key-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SearchInput } from '../../ui/field.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Card, EmptyState, Loading, Page } from '../../ui/page.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { formatNumber } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { Uncounted } from './document-table.tsx';
import styles from './documents.module.css';
import { CreateDialog, DeleteDialog, mustSucceed } from './place-dialogs.tsx';
import { pathOfOrganization } from './use-places.ts';

interface Organization {
  id: string;
  organizationName: string;
  disabled: boolean;
}

type Asked = { kind: 'create' } | { kind: 'rename' | 'delete'; of: Organization } | undefined;

const CALLS = [
  { title: 'List organizations', path: '/v2/organizations/get', name: 'organizations.list', data: {} },
  {
    title: 'Add an organization',
    path: '/v2/organizations/add',
    name: 'organizations.add',
    data: { organizations: [{ organizationId: 'acme', organizationName: 'Acme' }] },
  },
];

/** Number of documents of an organization. */
function DocumentCount({ organizationId }: { organizationId: string }) {
  const { data, error } = useKeyQuery(['documents', organizationId, 'count'], (redpen, signal) =>
    redpen.documents.count({ organizationId }, { signal }),
  );
  if (data) return formatNumber(data.count);
  return error ? <Uncounted error={error} /> : '…';
}

function useOrganizationChanges() {
  const renews = { renews: [['organizations']] };
  return {
    add: useKeyMutation(
      async (redpen, { id, name }: { id: string; name: string }) =>
        mustSucceed(
          await redpen.organizations.add({ organizations: [{ organizationId: id, organizationName: name }] }),
        ),
      renews,
    ),
    rename: useKeyMutation(
      async (redpen, { id, name }: { id: string; name: string }) =>
        mustSucceed(
          await redpen.organizations.update({
            organizations: [{ organizationId: id, organizationName: name }],
          }),
        ),
      renews,
    ),
    disable: useKeyMutation(
      async (redpen, { id, disabled }: { id: string; disabled: boolean }) =>
        redpen.organizations.updateDisabledState({ organizationIds: [id], disabled }),
      renews,
    ),
    remove: useKeyMutation(
      async (redpen, id: string) => mustSucceed(await redpen.organizations.delete({ organizationIds: [id] })),
      renews,
    ),
  };
}

function Dialogs({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { add, rename, remove } = useOrganizationChanges();
  const go = useGo();
  if (!asked) return null;
  if (asked.kind === 'create')
    return (
      <CreateDialog
        title="New organization"
        example="Acme"
        onClose={onClose}
        onCreate={async (made) => {
          await add.mutateAsync(made);
          go(pathOfOrganization(made.id));
        }}
      />
    );
  const { id, organizationName } = asked.of;
  return asked.kind === 'rename' ? (
    <RenameDialog
      what="organization"
      name={organizationName}
      onClose={onClose}
      onRename={(name) => rename.mutateAsync({ id, name })}
    />
  ) : (
    <DeleteDialog
      what="organization"
      name={organizationName}
      goes="Its folders, documents with all threads, user groups, grants, knowledge and judgments go with it. Profiles of users remain."
      wantsName
      onClose={onClose}
      onDelete={async () => {
        await remove.mutateAsync(id);
        announce(`${organizationName} is deleted`);
      }}
    />
  );
}

function columnsOf(
  to: (path: string) => string,
  mayChange: boolean,
  ask: (asked: Asked) => void,
  disable: (of: Organization) => void,
): Column<Organization>[] {
  const columns: Column<Organization>[] = [
    {
      id: 'name',
      header: 'Organization',
      kind: 'main',
      cell: ({ id, organizationName, disabled }) => (
        <span className={styles.name}>
          <Link to={to(pathOfOrganization(id))}>{organizationName}</Link>
          {disabled && <Badge tone="warn">Disabled</Badge>}
        </span>
      ),
    },
    // An organization without a name shows its id in place of one.
    {
      id: 'id',
      header: 'Id',
      cell: ({ id, organizationName }) => organizationName !== id && <code>{id}</code>,
    },
    {
      id: 'documents',
      header: 'Documents',
      kind: 'end',
      cell: ({ id }) => <DocumentCount organizationId={id} />,
    },
  ];
  if (mayChange)
    columns.push({
      id: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (one) => (
        <ActionMenu
          label={`Actions on ${one.organizationName}`}
          trigger={
            <IconButton label={`Actions on ${one.organizationName}`} size="small">
              <MoreHorizontal />
            </IconButton>
          }
          entries={[
            { id: 'rename', label: 'Rename', onAction: () => ask({ kind: 'rename', of: one }) },
            {
              id: 'disable',
              label: one.disabled ? 'Enable for users' : 'Disable for users',
              hint: one.disabled ? '' : 'Its data is kept',
              onAction: () => disable(one),
            },
            {
              id: 'delete',
              label: 'Delete',
              isDanger: true,
              onAction: () => ask({ kind: 'delete', of: one }),
            },
          ]}
        />
      ),
    });
  return columns;
}

/** The organizations of the API key. */
export function DocumentsPage() {
  const [text, setText] = useState('');
  const [asked, ask] = useState<Asked>();
  const to = useKeyPath();
  const mayChange = useMay('editor');
  const { disable } = useOrganizationChanges();
  const list = useKeyPages<Organization>(['organizations', 'list'], async (redpen, pageToken, signal) =>
    redpen.organizations.list.page({}, { signal, ...(pageToken !== undefined && { cursor: pageToken }) }),
  );
  const words = text.trim().toLowerCase();
  const rows = list.items.filter(({ id, organizationName }) =>
    `${id} ${organizationName}`.toLowerCase().includes(words),
  );
  const create = mayChange && (
    <Button variant="primary" onPress={() => ask({ kind: 'create' })}>
      <Plus /> New organization
    </Button>
  );
  return (
    <Page
      title="Documents"
      lead="Documents belong to organizations. Each document holds the comments and findings of one site, text or application."
      actions={
        <>
          <ShowAsCode calls={CALLS} />
          {list.items.length > 0 && create}
        </>
      }
    >
      {list.error && !list.data ? (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <Loading />
      ) : list.items.length === 0 ? (
        <EmptyState icon={Building2} title="No organization yet" action={create}>
          An organization is a customer or a team of yours. Its users see its documents.
        </EmptyState>
      ) : (
        <>
          <div className={styles.search}>
            <SearchInput label="Search organizations" value={text} onChange={setText} />
          </div>
          <Card isFlush>
            <DataTable
              label="Organizations"
              columns={columnsOf(to, mayChange, ask, ({ id, disabled }) =>
                disable.mutate({ id, disabled: !disabled }, { onError: (error) => announce(error.message) }),
              )}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </Card>
          {list.hasNextPage && (
            <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetchingNextPage}>
              Show more
            </Button>
          )}
        </>
      )}
      <Dialogs asked={asked} onClose={() => ask(undefined)} />
    </Page>
  );
}
