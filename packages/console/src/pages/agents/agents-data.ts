import type { Operations } from '@redpen/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useKeyQuery } from '../../data/use-key-query.ts';
import type { SchemaNode } from './editor/schema.ts';

export type AgentSummary = Operations['/v2/agents/get']['item'];
export type Builtin = Operations['/v2/agents/builtin']['result']['agents'][number];
export type GroupSummary = Operations['/v2/agents/groups/list']['item'];
export type Rule = Operations['/v2/agents/rules']['item'];
type AnyAgent = Operations['/v2/agents/get']['forms'][0][1]['agent'];
type BuiltinAgent = Extract<AnyAgent, { system: true }>;
export type OwnAgent = Exclude<AnyAgent, BuiltinAgent>;

/** Names of what is read, for changes that make it read again. */
export const AGENTS = ['agents'] as const;
export const GROUPS = ['agent-groups'] as const;

export const useBuiltinAgents = (): UseQueryResult<Builtin[]> =>
  useKeyQuery(
    [...AGENTS, 'builtin'],
    async (redpen, signal) => (await redpen.agents.builtin({}, { signal })).agents,
  );

/** Own agents, newest first. An API key has few of them compared with its findings, so they are read at once. */
export const useOwnAgents = (): UseQueryResult<AgentSummary[]> =>
  useKeyQuery([...AGENTS, 'own'], (redpen, signal) =>
    redpen.agents.all({ filter: 'customOnly' }, { signal, max: MOST_AGENTS }),
  );

/** Built-in and own agents by id. */
export const useAllAgents = (): UseQueryResult<AgentSummary[]> =>
  useKeyQuery([...AGENTS, 'all'], (redpen, signal) => redpen.agents.all({}, { signal, max: MOST_AGENTS }));

const MOST_AGENTS = 2_000;

export const useGroups = (): UseQueryResult<GroupSummary[]> =>
  useKeyQuery(GROUPS, async (redpen, signal) => (await redpen.agentGroups.list({}, { signal })).groups);

/** The ids of the agents of a group, whose number tells when they have changed. */
export const useMembers = (groupId: string, agentCount: number): UseQueryResult<string[]> =>
  useKeyQuery([...GROUPS, groupId, agentCount], async (redpen, signal) => {
    const { group } = await redpen.agentGroups.get({ groupId }, { signal });
    return group.agentIds;
  });

export const useAgent = (agentId: string): UseQueryResult<AnyAgent> =>
  useKeyQuery([...AGENTS, 'one', agentId], async (redpen, signal) => {
    const { agent } = await redpen.agents.get({ agentId }, { signal });
    return agent;
  });

export const isOwn = (agent: AnyAgent): agent is OwnAgent => !('system' in agent && agent.system === true);

export const useAgentSchema = (): UseQueryResult<SchemaNode> =>
  useKeyQuery(
    ['agent-schema'],
    async (redpen, signal) => (await redpen.agents.schema({}, { signal })).agent as SchemaNode,
  );

export const useRules = (agentId: string): UseQueryResult<Rule[]> =>
  useKeyQuery([...AGENTS, 'rules', agentId], (redpen, signal) =>
    redpen.agents.rules.all({ agentId }, { signal, max: 1_000 }),
  );

/** The state of the model, as far as the built-in agents show it; undefined while that is read. */
export function useModelState(): { isConfigured: boolean; reason: string | undefined } | undefined {
  const { data } = useBuiltinAgents();
  if (!data) return undefined;
  const needing = data.filter(({ needsModel }) => needsModel === 'required');
  const refused = needing.find(({ unavailableBecause }) => /\bmodel\b/i.test(unavailableBecause ?? ''));
  return { isConfigured: refused === undefined, reason: refused?.unavailableBecause };
}
