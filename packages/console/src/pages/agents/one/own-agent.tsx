import { useBlocker, useNavigate } from '@tanstack/react-router';
import { CopyPlus, Ellipsis, Trash2 } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useMay } from '../../../session/session.tsx';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { SwitchInput } from '../../../ui/field.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { Page } from '../../../ui/page.tsx';
import { ShowAsCode } from '../../../ui/show-as-code.tsx';
import { TabView } from '../../../ui/tabs.tsx';
import { tabOf } from '../address.ts';
import type { OwnAgent } from '../agents-data.ts';
import { DeleteAgent } from '../delete-agent.tsx';
import { UsePanel } from '../use/use-panel.tsx';
import { useAddress } from '../use-address.ts';
import { useSwitch } from '../use-switch.ts';
import { VersionsPanel } from '../versions/versions-panel.tsx';
import { ConfigurationPanel } from './configuration-panel.tsx';
import styles from './one.module.css';
import { useAgentDraft } from './use-agent-draft.ts';

/** The page of an agent of the API key: its configuration, its versions, and its use. */
export function OwnAgentPage({ agent }: { agent: OwnAgent }) {
  const [address, setAddress] = useAddress();
  const to = useKeyPath();
  const editing = useAgentDraft(agent);
  const isGone = useRef(false);
  const tab = tabOf(address, ['configuration', 'versions', 'use']);
  return (
    <Page
      title={agent.name}
      lead={agent.description}
      crumbs={[{ label: 'Agents', to: to('/agents') }]}
      actions={<Actions agent={agent} behavior={editing.draft.value} isGone={isGone} />}
      isFull
    >
      <TabView
        label="Parts of the agent"
        selected={tab}
        onSelect={(next) => setAddress({ tab: next })}
        tabs={[
          {
            id: 'configuration',
            title: editing.isDirty ? 'Configuration (changed)' : 'Configuration',
            content: <ConfigurationPanel agent={agent} editing={editing} />,
          },
          {
            id: 'versions',
            title: `Versions (${agent.version})`,
            content: <VersionsPanel agentId={agent.id} current={agent.version} />,
          },
          {
            id: 'use',
            title: 'Usage',
            content: <UsePanel agentId={agent.id} executionCount={agent.executionCount} />,
          },
        ]}
      />
      <LeaveGuard isDirty={editing.isDirty} isGone={isGone} />
    </Page>
  );
}

function Actions({
  agent,
  behavior,
  isGone,
}: {
  agent: OwnAgent;
  behavior: Record<string, unknown>;
  isGone: RefObject<boolean>;
}) {
  const { id: agentId, name, enabled } = agent;
  const navigate = useNavigate();
  const to = useKeyPath();
  const mayEdit = useMay('editor');
  const [isDeleting, setDeleting] = useState(false);
  const { isPending, change } = useSwitch(agent);
  return (
    <>
      {mayEdit ? (
        <SwitchInput isSelected={enabled} isDisabled={isPending} onChange={change}>
          <span className={styles.switch}>Enabled</span>
        </SwitchInput>
      ) : (
        <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>
      )}
      <ShowAsCode calls={callsOf(agentId, behavior)} />
      {mayEdit && (
        <ActionMenu
          label={`Actions of ${name}`}
          trigger={
            <IconButton label={`Actions of ${name}`}>
              <Ellipsis />
            </IconButton>
          }
          entries={[
            {
              id: 'copy',
              label: 'Duplicate',
              icon: <CopyPlus size={16} />,
              onAction: () => void navigate({ to: to('/agents/new'), search: { from: agentId } as never }),
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
      )}
      <DeleteAgent
        agentId={agentId}
        name={name}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => {
          isGone.current = true;
          void navigate({ to: to('/agents'), search: { tab: 'own' } as never });
        }}
      />
    </>
  );
}

const callsOf = (agentId: string, { name: _, description: __, ...behavior }: Record<string, unknown>) => [
  { title: 'Read the agent', path: '/v2/agents/get', name: 'agents.get', data: { agentId } },
  {
    title: 'Save a version',
    path: '/v2/agents/versions/create',
    name: 'agentVersions.create',
    data: { agentId, ...behavior },
  },
  {
    title: 'Run it on a page',
    path: '/v2/reviews/run',
    name: 'reviews.run',
    data: { urls: ['https://example.com/'], agents: [agentId] },
  },
];

/** Asks before the page is left with changes, unless the agent was deleted. */
function LeaveGuard({ isDirty, isGone }: { isDirty: boolean; isGone: RefObject<boolean> }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isGone.current && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <FormDialog
      title="Leave without saving?"
      role="alertdialog"
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      submitLabel="Leave"
      isDanger
      onSubmit={async () => blocker.proceed?.()}
    >
      <p className={styles.text}>Your changes to the configuration are lost.</p>
    </FormDialog>
  );
}
