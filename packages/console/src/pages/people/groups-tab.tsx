import type { UserGroup } from '@redpen/client';
import { Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog, ModalDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { plural, Time } from '../../ui/time.ts';
import { WordList } from '../../ui/word-list.tsx';
import styles from './people.module.css';
import { GROUPS } from './use-people.ts';

/** The groups of users of an organization, to which comments can be assigned and which can be mentioned. */
export function GroupsTab({ organizationId }: { organizationId: string }) {
  const mayEdit = useMay('editor');
  const groups = useKeyQuery<UserGroup[]>([...GROUPS, organizationId], (redpen, signal) =>
    redpen.userGroups.all({ organizationId }, { max: 1_000, signal }),
  );
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<UserGroup>();
  const [deleted, setDeleted] = useState<UserGroup>();
  const add = mayEdit && (
    <Button variant="primary" onPress={() => setAdding(true)}>
      <Plus /> Add group
    </Button>
  );
  return (
    <>
      <QueryView query={groups}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={UsersRound} title="No groups in this organization" action={add}>
              A group is a name for several users, such as a department.
            </EmptyState>
          ) : (
            <Card title={plural(rows.length, 'group')} actions={add} isFlush>
              <GroupTable groups={rows} onShow={setShown} onDelete={setDeleted} />
            </Card>
          )
        }
      </QueryView>
      {isAdding && <AddGroupDialog organizationId={organizationId} onClose={() => setAdding(false)} />}
      {shown && (
        <MembersPanel organizationId={organizationId} group={shown} onClose={() => setShown(undefined)} />
      )}
      {deleted && (
        <DeleteGroupDialog
          organizationId={organizationId}
          group={deleted}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}

function GroupTable({
  groups,
  onShow,
  onDelete,
}: {
  groups: readonly UserGroup[];
  onShow: (group: UserGroup) => void;
  onDelete: (group: UserGroup) => void;
}) {
  const mayEdit = useMay('editor');
  const columns: readonly Column<UserGroup>[] = [
    {
      id: 'name',
      header: 'Group',
      kind: 'main',
      cell: (group) => (
        <>
          <button type="button" className={styles.person} onClick={() => onShow(group)}>
            {group.groupName}
          </button>
          <span className={styles.id}>{group.organizationUserGroupId}</span>
        </>
      ),
    },
    {
      id: 'users',
      header: 'Members',
      kind: 'tight',
      cell: ({ usersCount }) => plural(usersCount, 'member'),
    },
    { id: 'time', header: 'Changed', kind: 'tight', cell: ({ lastUpdated }) => <Time at={lastUpdated} /> },
    {
      id: 'more',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (group) =>
        mayEdit && (
          <Button
            size="small"
            variant="danger"
            aria-label={`Delete ${group.groupName}`}
            onPress={() => onDelete(group)}
          >
            Delete
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      label="Groups"
      columns={columns}
      rows={groups}
      keyOf={({ organizationUserGroupId }) => organizationUserGroupId}
    />
  );
}

function AddGroupDialog({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const [groupId, setGroupId] = useState('');
  const [groupName, setGroupName] = useState('');
  const add = useKeyMutation(
    (redpen) =>
      redpen.userGroups.add({
        organizationId,
        organizationUserGroups: [{ groupId: groupId.trim(), groupName: groupName.trim() || groupId.trim() }],
      }),
    { renews: [GROUPS] },
  );
  return (
    <FormDialog
      title="Add a group"
      isOpen
      onClose={onClose}
      submitLabel="Add group"
      canSubmit={groupId.trim() !== ''}
      onSubmit={() => add.mutateAsync(undefined)}
    >
      <TextInput
        label="Group id"
        isMono
        autoFocus
        placeholder="design"
        value={groupId}
        onChange={setGroupId}
      />
      <TextInput label="Name" isOptional placeholder="Design" value={groupName} onChange={setGroupName} />
    </FormDialog>
  );
}

function DeleteGroupDialog({
  organizationId,
  group,
  onClose,
}: {
  organizationId: string;
  group: UserGroup;
  onClose: () => void;
}) {
  const remove = useKeyMutation(
    (redpen) =>
      redpen.userGroups.delete({
        organizationId,
        organizationUserGroupIds: [group.organizationUserGroupId],
      }),
    { renews: [GROUPS] },
  );
  return (
    <FormDialog
      title={`Delete the group ${group.groupName}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Delete group"
      onClose={onClose}
      onSubmit={() => remove.mutateAsync(undefined)}
    >
      <p>Its members remain users with the access that they have.</p>
    </FormDialog>
  );
}

function MembersPanel({
  organizationId,
  group,
  onClose,
}: {
  organizationId: string;
  group: UserGroup;
  onClose: () => void;
}) {
  const mayEdit = useMay('editor');
  const place = { organizationId, organizationUserGroupId: group.organizationUserGroupId };
  const name = [...GROUPS, organizationId, group.organizationUserGroupId];
  const members = useKeyQuery(name, (redpen, signal) =>
    redpen.userGroupMembers.all(place, { max: 1_000, signal }),
  );
  const change = useKeyMutation(
    (redpen, { userId, isMember }: { userId: string; isMember: boolean }) =>
      isMember
        ? redpen.userGroupMembers.add({ ...place, userIds: [userId] })
        : redpen.userGroupMembers.delete({ ...place, userIds: [userId] }),
    { renews: [GROUPS] },
  );
  return (
    <ModalDialog title={group.groupName} kind="side" isOpen onClose={onClose}>
      <Row>
        <code>{group.organizationUserGroupId}</code>
      </Row>
      <QueryView query={members}>
        {(users) => (
          <WordList
            label="Members"
            addLabel="User id"
            empty="The group has no members yet."
            words={users.map(({ userId }) => userId)}
            isDisabled={!mayEdit}
            onAdd={(userId) => change.mutateAsync({ userId, isMember: true })}
            onRemove={(userId) => change.mutateAsync({ userId, isMember: false })}
          />
        )}
      </QueryView>
      {change.error && <Failure error={change.error} />}
    </ModalDialog>
  );
}
