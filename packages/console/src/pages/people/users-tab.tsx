import type { Contact } from '@redpen/client';
import { Ellipsis, Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { AddressSearch } from '../../data/address-field.tsx';
import { useAddress } from '../../data/use-address.ts';
import { useMay } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Card, EmptyState, Loading } from '../../ui/page.tsx';
import { Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import styles from './people.module.css';
import { peopleAddressOf } from './people-address.ts';
import { nameOfRole, useUsers } from './use-people.ts';
import { EraseDialog, RemoveDialog, UserDialog } from './user-dialogs.tsx';
import { UserPanel } from './user-panel.tsx';

type Action = 'show' | 'edit' | 'remove' | 'erase';

/** Users who are added to an organization. */
export function UsersTab({ organizationId }: { organizationId: string }) {
  const [address, change] = useAddress(peopleAddressOf);
  const [opened, setOpened] = useState<{ action: Action; user: Contact } | 'new'>();
  const users = useUsers(organizationId, address.text);
  const mayEdit = useMay('editor');
  const close = () => setOpened(undefined);
  const action = opened !== 'new' ? opened?.action : undefined;
  const user = opened !== 'new' ? opened?.user : undefined;
  return (
    <>
      <div className={styles.head}>
        <div className={styles.search}>
          <AddressSearch
            label="Find by name or email"
            value={address.text ?? ''}
            onChange={(text) => change({ text: text || undefined })}
          />
        </div>
        {mayEdit && (
          <Button variant="primary" onPress={() => setOpened('new')}>
            <Plus /> Add user
          </Button>
        )}
      </div>
      {users.error ? (
        <Failure error={users.error} onRetry={() => void users.refetch()} />
      ) : users.isPending ? (
        <Loading />
      ) : users.items.length === 0 ? (
        <EmptyState icon={UsersRound} title={address.text ? 'No such user' : 'No users in this organization'}>
          {address.text
            ? 'Words are compared with the beginnings of words in names and emails.'
            : 'Users appear here once they are added. Tokens can grant access without that.'}
        </EmptyState>
      ) : (
        <Card isFlush>
          <UserTable users={users.items} onAct={(what, who) => setOpened({ action: what, user: who })} />
        </Card>
      )}
      {users.hasNextPage && (
        <Row>
          <Button isPending={users.isFetchingNextPage} onPress={() => void users.fetchNextPage()}>
            Show more
          </Button>
        </Row>
      )}
      {opened === 'new' && <UserDialog organizationId={organizationId} onClose={close} />}
      {action === 'edit' && <UserDialog organizationId={organizationId} user={user} onClose={close} />}
      {action === 'remove' && user && (
        <RemoveDialog organizationId={organizationId} user={user} onClose={close} />
      )}
      {action === 'erase' && user && <EraseDialog user={user} onClose={close} />}
      {action === 'show' && user && <UserPanel organizationId={organizationId} user={user} onClose={close} />}
    </>
  );
}

function UserTable({
  users,
  onAct,
}: {
  users: readonly Contact[];
  onAct: (action: Action, user: Contact) => void;
}) {
  const columns: readonly Column<Contact>[] = [
    {
      id: 'name',
      header: 'User',
      kind: 'main',
      cell: (user) => (
        <>
          <button type="button" className={styles.person} onClick={() => onAct('show', user)}>
            {user.name || user.userId}
          </button>
          <span className={styles.id}>{user.userId}</span>
        </>
      ),
    },
    { id: 'email', header: 'Email', cell: ({ email }) => email ?? '' },
    {
      id: 'role',
      header: 'Role',
      kind: 'tight',
      cell: ({ accessRole }) => <Badge>{accessRole ? nameOfRole(accessRole) : 'By token'}</Badge>,
    },
    {
      id: 'more',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (user) => <UserMenu user={user} onAct={onAct} />,
    },
  ];
  return <DataTable label="Users" columns={columns} rows={users} keyOf={({ userId }) => userId} />;
}

function UserMenu({ user, onAct }: { user: Contact; onAct: (action: Action, user: Contact) => void }) {
  const [, change] = useAddress(peopleAddressOf);
  const mayEdit = useMay('editor');
  const isOwner = useMay('owner');
  const name = user.name || user.userId;
  return (
    <ActionMenu
      label={`Actions for ${name}`}
      trigger={
        <IconButton size="small" label={`Actions for ${name}`}>
          <Ellipsis />
        </IconButton>
      }
      entries={[
        { id: 'show', label: 'Where they have access', onAction: () => onAct('show', user) },
        {
          id: 'why',
          label: 'Explain access',
          onAction: () => change({ tab: 'why', user: user.userId }),
        },
        mayEdit && { id: 'edit', label: 'Edit', onAction: () => onAct('edit', user) },
        mayEdit && {
          id: 'remove',
          label: 'Remove from the organization',
          isDanger: true,
          onAction: () => onAct('remove', user),
        },
        isOwner && {
          id: 'erase',
          label: 'Erase their data',
          isDanger: true,
          onAction: () => onAct('erase', user),
        },
      ]}
    />
  );
}
