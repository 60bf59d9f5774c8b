import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { builtinAgents } from '../../review/agents/builtin/index.ts';
import {
  describeBuiltin,
  durations,
  modelNeeds,
  whyUnavailable,
} from '../../review/agents/describe-builtin.ts';
import { agentId } from '../../shapes/id-fields.ts';
import { named } from '../../shapes/named.ts';
import { agentNotFound, mapBuiltinStates } from '../../store/agents/agents.ts';

const builtinAgent = named(
  'BuiltinAgentDescription',
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.string(),
    internal: z.boolean().describe('True for agents that serve other agents; agents/get does not list them.'),
    enabled: z.boolean().describe('False if this API key has disabled the agent.'),
    available: z.boolean().describe('True if a run can start now, as far as this process can tell.'),
    unavailableBecause: z.string().optional().describe('The reason, as a sentence, if it cannot.'),
    needsBrowser: z.boolean().describe('True if the pages of a run are read in a browser.'),
    needsModel: z
      .enum(modelNeeds)
      .describe('`optional`: without a language model, the agent reports what it finds by rule.'),
    needsInstructions: z.literal(false).describe('Built-in agents have instructions of their own.'),
    inputRequirements: z.record(z.string(), z.unknown()).describe('Inputs that a run needs.'),
    variables: z.array(z.string()).describe('Variables that the caller of a run must provide.'),
    gatherStrategies: z.array(z.string()),
    executionStrategy: z.string(),
    serviceId: z.string().optional().describe('The service that examines the page by rule.'),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('JSON Schema of `strategyOptions[serviceId]` of a run; absent if there are no options.'),
    issueTypes: z.array(z.string()).describe('What it finds by rule; agents/rules explains them.'),
    addsOwnIssueTypes: z.boolean().describe('True if a model may add issue types of its own.'),
    duration: z
      .enum(durations)
      .describe(
        '`short`: by rule, the agent ends soon after a page is loaded; `long`: it requests many addresses, audits the page, or waits for a model.',
      ),
  }),
);

export default call({
  path: '/v2/agents/builtin',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  summary: 'List the built-in agents with what each of them needs and finds.',
  description: 'The order is that of agents/get. Agents that serve other agents are included.',
  data: z
    .object({ agentId: agentId.optional().describe('Returns only this agent.') })
    .meta({ examples: [{ agentId: 'spell-check' }] }),
  result: z.object({ agents: z.array(builtinAgent) }),
  message: 'Built-in agents listed successfully',
  failures: { NOT_FOUND: 'There is no such built-in agent.' },

  async handle({ agentId }, { db, caller, outside: { models }, settings }) {
    const wanted = builtinAgents.filter((agent) => agentId === undefined || agent.agentId === agentId);
    if (agentId !== undefined && wanted.length === 0) throw agentNotFound(agentId);
    const stateOf = await mapBuiltinStates(db, caller);
    const missingBrowser = await settings.missingBrowser();
    const agents = await Promise.all(
      wanted.map(async (agent) => {
        const { name, description, metadata } = agent;
        const facts = await describeBuiltin(agent);
        const { enabled } = stateOf(agent.agentId);
        const why = whyUnavailable(agent, { ...facts, enabled }, { missingBrowser, models });
        return {
          ...{ id: agent.agentId, name, description, category: metadata.category },
          ...{ internal: metadata.internal === true, enabled, available: why === undefined },
          ...(why !== undefined && { unavailableBecause: why }),
          ...facts,
        };
      }),
    );
    return { agents };
  },
});
