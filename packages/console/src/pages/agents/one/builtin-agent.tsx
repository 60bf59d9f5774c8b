import { CopyPlus } from 'lucide-react';
import { useMay } from '../../../session/session.tsx';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge, SeverityBadge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { SwitchInput } from '../../../ui/field.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { ShowAsCode } from '../../../ui/show-as-code.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { TabView } from '../../../ui/tabs.tsx';
import { tabOf } from '../address.ts';
import { type Builtin, useBuiltinAgents, useModelState, useRules } from '../agents-data.ts';
import { needsOf } from '../gallery/builtin-words.ts';
import { TryPanel } from '../try/try-panel.tsx';
import { UsePanel } from '../use/use-panel.tsx';
import { useAddress } from '../use-address.ts';
import { useSwitch } from '../use-switch.ts';
import styles from './one.module.css';

/** The page of a built-in agent: what it finds and needs, and its use. */
export function BuiltinAgentPage({ agentId, executionCount }: { agentId: string; executionCount: number }) {
  const builtin = useBuiltinAgents();
  const [address, setAddress] = useAddress();
  const to = useKeyPath();
  const tab = tabOf(address, ['finds', 'use']);
  return (
    <QueryView query={builtin}>
      {(agents) => {
        const agent = agents.find(({ id }) => id === agentId);
        if (!agent) return <p>There is no built-in agent with this id.</p>;
        return (
          <Page
            title={agent.name}
            lead={agent.description}
            crumbs={[{ label: 'Agents', to: to('/agents') }]}
            actions={<Actions agent={agent} />}
            isFull
          >
            <TabView
              label="Parts of the agent"
              selected={tab}
              onSelect={(next) => setAddress({ tab: next })}
              tabs={[
                { id: 'finds', title: 'What it finds', content: <FindsPanel agent={agent} /> },
                {
                  id: 'use',
                  title: 'Usage',
                  content: <UsePanel agentId={agentId} executionCount={executionCount} />,
                },
              ]}
            />
          </Page>
        );
      }}
    </QueryView>
  );
}

function Actions({ agent: { id, name, enabled } }: { agent: Builtin }) {
  const to = useKeyPath();
  const mayEdit = useMay('editor');
  const { isPending, change } = useSwitch({ id, name });
  return (
    <>
      {mayEdit && (
        <SwitchInput isSelected={enabled} isDisabled={isPending} onChange={change}>
          <span className={styles.switch}>Enabled</span>
        </SwitchInput>
      )}
      <ShowAsCode
        calls={[
          {
            title: 'What it finds and needs',
            path: '/v2/agents/builtin',
            name: 'agents.builtin',
            data: { agentId: id },
          },
          { title: 'Its rules', path: '/v2/agents/rules', name: 'agents.rules', data: { agentId: id } },
          {
            title: 'Run it on a page',
            path: '/v2/reviews/run',
            name: 'reviews.run',
            data: { urls: ['https://example.com/'], agents: [id] },
          },
        ]}
      />
      {mayEdit && (
        <LinkButton to={to('/agents/new')} search={{ from: id } as never}>
          <CopyPlus /> Start an agent of your own
        </LinkButton>
      )}
    </>
  );
}

function FindsPanel({ agent }: { agent: Builtin }) {
  const [address, setAddress] = useAddress();
  const model = useModelState();
  const { id, enabled, available, unavailableBecause, addsOwnIssueTypes, duration, variables } = agent;
  const reason = enabled ? unavailableBecause : 'The agent is disabled. Enable it to run it.';
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <div className={styles.needs}>
          {needsOf(agent, model?.isConfigured).map(({ text, tone }) => (
            <Badge key={text} tone={tone}>
              {text}
            </Badge>
          ))}
          <Badge>{duration === 'short' ? 'Takes seconds a page' : 'Takes longer'}</Badge>
        </div>
        {!available && enabled && unavailableBecause && <p className={styles.notice}>{unavailableBecause}</p>}
        <RuleTable agentId={id} addsOwn={addsOwnIssueTypes} />
      </div>
      <aside className={styles.side} aria-label="Try the agent">
        <TryPanel
          url={address.url ?? ''}
          onUrl={(url) => setAddress({ url })}
          variables={variables}
          unavailable={reason}
          prepare={async () => id}
        />
      </aside>
    </div>
  );
}

function RuleTable({ agentId, addsOwn }: { agentId: string; addsOwn: boolean }) {
  const rules = useRules(agentId);
  return (
    <QueryView query={rules}>
      {(list) => (
        <Card
          title={`${list.length === 1 ? 'One rule' : `${list.length} rules`}`}
          {...(addsOwn && { lead: 'A model adds kinds of findings of its own.' })}
          isFlush
        >
          <DataTable
            label="Rules of the agent"
            rows={list}
            keyOf={({ issueType }) => issueType}
            columns={[
              {
                id: 'rule',
                header: 'Rule',
                kind: 'main',
                cell: ({ title, help, helpUrl, issueType }) => (
                  <>
                    <div className={styles.ruleTitle}>{title}</div>
                    <div className={styles.muted}>
                      {help}{' '}
                      {helpUrl && (
                        <a href={helpUrl} target="_blank" rel="noreferrer">
                          More on {title}
                        </a>
                      )}
                    </div>
                    <code className={styles.muted}>{issueType}</code>
                  </>
                ),
              },
              {
                id: 'severity',
                header: 'Severity',
                kind: 'tight',
                cell: ({ defaultSeverity }) => <SeverityBadge severity={defaultSeverity} />,
              },
            ]}
          />
        </Card>
      )}
    </QueryView>
  );
}
