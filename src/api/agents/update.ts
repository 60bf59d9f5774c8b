import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { refuseReservedKeys } from '../../review/agents/agent-shape/reserved-keys.ts';
import { changeAgent } from '../../review/agents/change-agent.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { ignoringOthers } from '../../shapes/field-use.ts';
import { agentId } from '../../shapes/id-fields.ts';

export default write({
  path: '/v2/agents/update',
  auth: 'apiKey',
  summary: "Change an agent's name or description, or switch it on or off.",
  description:
    'Does not create a version. For built-in agents only `enabled` can be changed, and only for this API key.',
  data: refuseReservedKeys(
    ignoringOthers(
      z.looseObject({
        agentId,
        name: z.string().min(1).optional(),
        description: z.string().optional(),
        enabled: z.boolean().optional(),
      }),
    ),
  )
    .refine(
      ({ name, description, enabled }) => [name, description, enabled].some((field) => field !== undefined),
      {
        ...withOtherProblems,
        error: 'At least one of name, description and enabled is required.',
      },
    )
    .meta({ examples: [{ agentId: 'broken-links', enabled: true }] }),
  result: z.object({ agentId: z.string() }),
  message: 'Agent updated successfully',
  failures: { NOT_FOUND: 'The agent does not exist.' },
  audit: {
    action: 'agent.updated',
    of: ({ agentId, name, description, enabled }) => ({ id: agentId, after: { name, description, enabled } }),
  },

  async handle({ agentId, ...change }, { tx, caller }) {
    await changeAgent(tx, caller, agentId, change);
    return { agentId };
  },
});
