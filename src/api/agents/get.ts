import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../lib/cursor.ts';
import { versionFields } from '../../review/agents/agent-shape/agent-shape.ts';
import { type AgentFilter, showOneAgent, summarizeAgents } from '../../review/agents/show-agent.ts';
import { agent, agentSummary, builtinAgent, customAgent } from '../../shapes/agents/agent.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { agentId, groupId } from '../../shapes/id-fields.ts';
import { documentedAs, named } from '../../shapes/named.ts';
import { pageToken } from '../../shapes/page-fields.ts';

const FILTERS: readonly unknown[] = ['defaultOnly', 'customOnly', undefined] satisfies (
  | AgentFilter
  | undefined
)[];

/** Behavior is returned as it was sent, without defaults, and so in the form of a request. */
const described = named(
  'Agent',
  z.union([
    builtinAgent,
    named(
      'CustomAgent',
      documentedAs(z.looseObject({ ...versionFields.shape, ...customAgent.shape }), customAgent, 'input'),
    ),
  ]),
);
const one = z.object({ agent });
const several = z.object({ agents: z.array(agentSummary), nextPageToken: z.string().optional() });

export default read({
  path: '/v2/agents/get',
  auth: 'apiKey',
  summary: 'Get an agent, or list agents.',
  description:
    'With `agentId`: the agent with its behavior; secrets are returned as `__redacted__`. Without `agentId`: built-in agents, then custom agents, newest first; with `groupId`, the members of the group in their order.',
  data: z
    .object({
      agentId: agentId.optional().describe('With it, `shape` is `agent`; otherwise `agents`.'),
      filter: z
        .unknown()
        .meta({ type: 'string', enum: ['defaultOnly', 'customOnly'] })
        .optional()
        .describe('Ignored if agentId is sent.'),
      groupId: groupId.optional().describe('Ignored if agentId is sent.'),
      pageSize: z
        .number()
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .describe('Maximum number of agents in one response. Defaults to all.'),
      pageToken: pageToken.optional(),
    })
    .refine(({ agentId, filter }) => agentId !== undefined || FILTERS.includes(filter), {
      ...withOtherProblems,
      path: ['filter'],
      error: 'filter must be defaultOnly or customOnly.',
    })
    .meta({ examples: [{ agentId: 'broken-links' }] }),
  ignores: ({ agentId, ...others }) =>
    agentId === undefined
      ? []
      : (['filter', 'groupId', 'pageSize', 'pageToken'] as const)
          .filter((field) => others[field] !== undefined)
          .map((field) => ({ path: [field], because: 'agentId names one agent' })),
  result: z.union([one, several]),
  shapes: {
    agent: { when: 'With `agentId`.', data: documentedAs(z.object({ agent: described }), one) },
    agents: { when: 'Without `agentId`.', data: several },
  },
  shapeOf: (_, { agentId }) => (agentId === undefined ? 'agents' : 'agent'),
  message: (result) => ('agent' in result ? 'Agent fetched successfully' : 'Agents fetched successfully'),
  failures: { NOT_FOUND: 'The agent or the group does not exist.' },

  async handle({ agentId, filter, groupId, pageSize, pageToken }, { db, caller, keyring }) {
    if (agentId !== undefined) return { agent: await showOneAgent(db, caller, agentId) };
    const list = ['agents', caller.apiKeyId, JSON.stringify([filter, groupId])];
    const after = pageToken === undefined ? undefined : openCursor(keyring, list, pageToken);
    const selection = { filter: filter as AgentFilter | undefined, groupId };
    const { agents, next } = await summarizeAgents(db, caller, selection, { after, limit: pageSize });
    return { agents, ...(next && { nextPageToken: sealCursor(keyring, list, next) }) };
  },
});
