import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { invalidRequest } from '../../lib/errors.ts';
import { BUILTIN_VERSION } from '../../review/builtin/builtin-agent.ts';
import { findBuiltin } from '../../review/builtin/index.ts';
import { refuseReservedKeys } from '../../review/reserved-keys.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { agentId } from '../../shapes/ids.ts';
import { setBuiltinEnabled, updateAgent } from '../../store/agents.ts';

export default write({
  path: '/v2/agents/update',
  auth: 'apiKey',
  summary: "Change an agent's name or description, or switch it on or off.",
  description: 'Makes no version. Of built-in agents only `enabled` can be changed, for this API key alone.',
  data: refuseReservedKeys(
    z.looseObject({
      agentId,
      name: z.string().min(1).optional(),
      description: z.string().optional(),
      enabled: z.boolean().optional(),
    }),
  ).refine(
    ({ name, description, enabled }) => [name, description, enabled].some((field) => field !== undefined),
    {
      ...withOtherProblems,
      error: 'At least one of name, description and enabled is required.',
    },
  ),
  result: z.object({ agentId: z.string() }),
  message: 'Agent updated successfully',
  failures: { NOT_FOUND: 'The agent does not exist.' },

  async handle({ agentId, name, description, enabled }, { tx, caller }) {
    const builtin = findBuiltin(agentId);
    if (!builtin) {
      await updateAgent(tx, caller, agentId, { name, description, enabled });
      return { agentId };
    }
    const fixed = Object.entries({ name, description }).filter(([, value]) => value !== undefined);
    if (fixed.length > 0 || enabled === undefined) {
      throw invalidRequest(
        fixed.map(([key]) => ({
          path: [key],
          code: 'custom',
          message: `${key} of a built-in agent cannot be changed.`,
        })),
      );
    }
    await setBuiltinEnabled(tx, caller, { agentId, name: builtin.name, version: BUILTIN_VERSION }, enabled);
    return { agentId };
  },
});
