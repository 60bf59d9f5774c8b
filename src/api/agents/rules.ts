import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { loadAgent } from '../../review/agents/load-agent.ts';
import { listRules, rulesOfAgent } from '../../review/agents/rule-catalogue.ts';
import { rule, ruleCategories } from '../../shapes/agents/rule.ts';
import { agentId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { agentNotFound } from '../../store/agents/agents.ts';

export default read({
  path: '/v2/agents/rules',
  auth: 'apiKey',
  summary: 'List the issue types that agents find by rule, ordered by name.',
  description:
    'The catalogue has the rules of this version of the service, those of axe-core and Lighthouse in their own words. Besides, a model chooses issue types of its own, which no catalogue can list.',
  data: z
    .object({
      agentId: agentId
        .optional()
        .describe('Returns only what this agent finds by rule; a custom agent finds what its service does.'),
      category: z.enum(ruleCategories).optional(),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ agentId: 'broken-links' }] }),
  result: z.object({ rules: z.array(rule), nextPageToken: z.string().optional() }),
  message: 'Rules listed successfully',
  failures: { NOT_FOUND: 'The agent does not exist.' },

  async handle({ agentId, category, pageSize, pageToken }, { db, caller, keyring }) {
    const agent = agentId === undefined ? undefined : await loadAgent(db, caller, agentId);
    if (agentId !== undefined && !agent) throw agentNotFound(agentId);
    const own = agent && (await rulesOfAgent(agent.behavior));
    const all = await listRules();
    const wanted = all
      .flatMap((one) => {
        if (!own) return [one];
        const ofAgent = own.get(one.issueType);
        return ofAgent ? [{ ...ofAgent, agents: one.agents }] : [];
      })
      .filter((one) => category === undefined || one.category === category);
    const list = ['agent rules', caller.apiKeyId, JSON.stringify([agentId, category])];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      async ({ after, limit }) =>
        wanted.filter(({ issueType }) => !after || issueType > String(after[0])).slice(0, limit),
      ({ issueType }) => [issueType],
    );
    return { rules: rows, ...(next !== undefined && { nextPageToken: next }) };
  },
});
