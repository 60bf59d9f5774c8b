import { useParams } from '@tanstack/react-router';
import { useKeyPath } from '../../shell/key-path.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading, Page } from '../../ui/page.tsx';
import { isOwn, useAgent } from './agents-data.ts';
import { BuiltinAgentPage } from './one/builtin-agent.tsx';
import { OwnAgentPage } from './one/own-agent.tsx';

/** The page of one agent. */
export function AgentPage() {
  const { agentId } = useParams({ strict: false }) as { agentId: string };
  const to = useKeyPath();
  const { data: agent, error, refetch } = useAgent(agentId);
  if (!agent) {
    return (
      <Page title="Agent" crumbs={[{ label: 'Agents', to: to('/agents') }]}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={6} />}
      </Page>
    );
  }
  // A draft belongs to its agent.
  return isOwn(agent) ? (
    <OwnAgentPage key={agentId} agent={agent} />
  ) : (
    <BuiltinAgentPage key={agentId} agentId={agentId} executionCount={agent.executionCount} />
  );
}
