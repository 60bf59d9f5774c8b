import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/service/harness.ts';
import { builtinAgents } from '../../review/agents/builtin/index.ts';

interface Builtin {
  id: string;
  available: boolean;
  unavailableBecause?: string;
  issueTypes: string[];
  [field: string]: unknown;
}

test('each built-in agent says what it needs and finds', async () => {
  const w = await newWorkspace();
  const { agents } = (await w.must('/v2/agents/builtin')) as { agents: Builtin[] };
  expect(agents.map(({ id }) => id)).toEqual(builtinAgents.map(({ agentId }) => agentId));
  const of = (id: string) => agents.find((agent) => agent.id === id)!;
  expect(of('broken-links')).toMatchObject({
    name: 'Broken links',
    internal: false,
    enabled: true,
    available: true,
    needsBrowser: true,
    needsModel: 'none',
    addsOwnIssueTypes: false,
    inputRequirements: { requires: ['url'] },
    duration: 'long',
    options: { type: 'object', properties: { internalOnly: { type: 'boolean' } } },
  });
  expect(of('broken-links').issueTypes).toContain('broken-link');
  expect(of('spell-check')).toMatchObject({ needsModel: 'optional', available: true, duration: 'short' });
  expect(of('grammar-check')).toMatchObject({ needsModel: 'required', issueTypes: ['page-injection'] });
  expect(of('docs-code-comparison')).toMatchObject({ internal: true, variables: ['docsMcpUrl'] });
});

test('an agent that is disabled or that the service cannot run says why', async () => {
  const w = await newWorkspace();
  await w.must('/v2/agents/update', { agentId: 'spell-check', enabled: false });
  const { agents } = await w.must('/v2/agents/builtin', { agentId: 'spell-check' });
  expect(agents).toMatchObject([
    {
      id: 'spell-check',
      enabled: false,
      available: false,
      unavailableBecause: 'The agent spell-check is disabled for this API key.',
    },
  ]);
  expect((await w.post('/v2/agents/builtin', { agentId: 'agent_none' })).body.error).toMatchObject({
    status: 'NOT_FOUND',
  });
});
