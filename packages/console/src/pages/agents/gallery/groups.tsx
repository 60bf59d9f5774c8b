import { Link } from '@tanstack/react-router';
import { Layers, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import { GROUPS, type GroupSummary, useAllAgents, useGroups, useMembers } from '../agents-data.ts';
import styles from './gallery.module.css';
import { GroupDialog } from './group-dialog.tsx';

/** Groups of agents, which a review or a schedule names together. */
export function Groups({ onCreate }: { onCreate: () => void }) {
  const groups = useGroups();
  const mayEdit = useMay('editor');
  return (
    <QueryView query={groups}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState
            icon={Layers}
            title="No groups yet"
            action={
              mayEdit && (
                <Button variant="primary" onPress={onCreate}>
                  New group
                </Button>
              )
            }
          >
            A group is a list of agents under one name. A review or a schedule runs them together.
          </EmptyState>
        ) : (
          <GroupTable groups={all} />
        )
      }
    </QueryView>
  );
}

function GroupTable({ groups }: { groups: readonly GroupSummary[] }) {
  return (
    <Card isFlush>
      <DataTable
        label="Groups"
        rows={groups}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            header: 'Group',
            kind: 'main',
            cell: ({ name, description }) => (
              <>
                <span className={styles.name}>{name}</span>
                {description && <div className={styles.description}>{description}</div>}
              </>
            ),
          },
          { id: 'agents', header: 'Agents', kind: 'main', cell: (group) => <Members group={group} /> },
          {
            id: 'created',
            header: 'Created',
            kind: 'tight',
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
          {
            id: 'actions',
            header: 'Actions',
            isHeaderHidden: true,
            kind: 'tight',
            cell: (group) => <GroupActions group={group} />,
          },
        ]}
      />
    </Card>
  );
}

function Members({ group: { id, agentCount } }: { group: GroupSummary }) {
  const to = useKeyPath();
  const { data: ids } = useMembers(id, agentCount);
  const { data: agents } = useAllAgents();
  if (agentCount === 0) return <span className={styles.muted}>None</span>;
  return (
    <div className={styles.members}>
      {ids?.map((agentId) => (
        <Badge key={agentId}>
          <Link to={to(`/agents/${agentId}`)}>
            {agents?.find((agent) => agent.id === agentId)?.name ?? agentId}
          </Link>
        </Badge>
      ))}
    </div>
  );
}

function GroupActions({ group }: { group: GroupSummary }) {
  const mayEdit = useMay('editor');
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const remove = useKeyMutation((redpen, groupId: string) => redpen.agentGroups.delete({ groupId }), {
    renews: [GROUPS],
  });
  if (!mayEdit) return null;
  return (
    <>
      <IconButton size="small" label={`Change ${group.name}`} onPress={() => setOpen('edit')}>
        <Pencil />
      </IconButton>
      <IconButton size="small" label={`Delete ${group.name}`} onPress={() => setOpen('delete')}>
        <Trash2 />
      </IconButton>
      {open === 'edit' && <GroupDialog group={group} onClose={() => setOpen(undefined)} />}
      <FormDialog
        title={`Delete ${group.name}?`}
        role="alertdialog"
        isOpen={open === 'delete'}
        onClose={() => setOpen(undefined)}
        submitLabel="Delete group"
        isDanger
        onSubmit={async () => {
          await remove.mutateAsync(group.id);
          announce(`${group.name} is deleted.`);
        }}
      >
        <p>Its agents remain. Schedules that name the group cannot start any more.</p>
      </FormDialog>
    </>
  );
}
