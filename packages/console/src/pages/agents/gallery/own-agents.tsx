import { Link, useNavigate } from '@tanstack/react-router';
import { Bot, CopyPlus, Ellipsis, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../session/session.tsx';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton, LinkButton } from '../../../ui/button.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { formatNumber, Time } from '../../../ui/time.ts';
import { type AgentSummary, useOwnAgents } from '../agents-data.ts';
import { DeleteAgent } from '../delete-agent.tsx';
import { useSwitch } from '../use-switch.ts';
import styles from './gallery.module.css';

/** The agents of the API key, with their use. */
export function OwnAgents({ words }: { words: string }) {
  const agents = useOwnAgents();
  const to = useKeyPath();
  const mayEdit = useMay('editor');
  return (
    <QueryView query={agents}>
      {(all) => {
        if (all.length === 0) {
          return (
            <EmptyState
              icon={Bot}
              title="No agents of your own yet"
              action={
                mayEdit && (
                  <LinkButton to={to('/agents/new')} variant="primary">
                    New agent
                  </LinkButton>
                )
              }
            >
              An agent checks pages against your instructions. Start from a built-in one, from a checklist in
              words, or with an empty form.
            </EmptyState>
          );
        }
        const shown = all.filter(({ name, description }) =>
          `${name} ${description ?? ''}`.toLowerCase().includes(words.toLowerCase()),
        );
        return shown.length === 0 ? (
          <p className={styles.none}>None of your agents has these words.</p>
        ) : (
          <AgentTable agents={shown} />
        );
      }}
    </QueryView>
  );
}

function AgentTable({ agents }: { agents: readonly AgentSummary[] }) {
  const to = useKeyPath();
  return (
    <Card isFlush>
      <DataTable
        label="Your agents"
        rows={agents}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            header: 'Agent',
            kind: 'main',
            cell: ({ id, name, description }) => (
              <>
                <Link to={to(`/agents/${id}`)} className={styles.name}>
                  {name}
                </Link>
                {description && <div className={styles.description}>{description}</div>}
              </>
            ),
          },
          {
            id: 'state',
            header: 'State',
            kind: 'tight',
            cell: ({ enabled }) => (enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>),
          },
          {
            id: 'version',
            header: 'Version',
            kind: 'end',
            isNamedWhenNarrow: true,
            cell: ({ version }) => version,
          },
          {
            id: 'runs',
            header: 'Runs',
            kind: 'end',
            isNamedWhenNarrow: true,
            cell: ({ executionCount }) => formatNumber(executionCount),
          },
          {
            id: 'last',
            header: 'Last run',
            kind: 'tight',
            isNamedWhenNarrow: true,
            cell: ({ lastExecutedAt }) =>
              lastExecutedAt ? <Time at={lastExecutedAt} /> : <span className={styles.muted}>Never</span>,
          },
          {
            id: 'actions',
            header: 'Actions',
            isHeaderHidden: true,
            kind: 'tight',
            cell: (agent) => <AgentActions agent={agent} />,
          },
        ]}
      />
    </Card>
  );
}

function AgentActions({ agent: { id, name, enabled } }: { agent: AgentSummary }) {
  const to = useKeyPath();
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const [isDeleting, setDeleting] = useState(false);
  const { change } = useSwitch({ id, name });
  if (!mayEdit) return null;
  return (
    <>
      <ActionMenu
        label={`Actions of ${name}`}
        trigger={
          <IconButton size="small" label={`Actions of ${name}`}>
            <Ellipsis />
          </IconButton>
        }
        entries={[
          {
            id: 'toggle',
            label: enabled ? 'Disable' : 'Enable',
            icon: <Power size={16} />,
            onAction: () => change(!enabled),
          },
          {
            id: 'copy',
            label: 'Duplicate',
            icon: <CopyPlus size={16} />,
            onAction: () => void navigate({ to: to('/agents/new'), search: { from: id } as never }),
          },
          {
            id: 'delete',
            label: 'Delete',
            icon: <Trash2 size={16} />,
            isDanger: true,
            onAction: () => setDeleting(true),
          },
        ]}
      />
      <DeleteAgent agentId={id} name={name} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  );
}
