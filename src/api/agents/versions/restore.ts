import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { restoreAgentVersion } from '../../../store/agents/agent-versions.ts';

export default write({
  path: '/v2/agents/versions/restore',
  auth: 'apiKey',
  summary: 'Undo the latest version of a custom agent.',
  description:
    'Creates a new version with the content of the version before the current one. Version numbers are never reused.',
  data: z.object({ agentId }).meta({ examples: [{ agentId: 'agent_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ version: z.number().int() }),
  message: 'Version restored successfully',
  failures: {
    NOT_FOUND: 'The agent does not exist or is not a custom agent.',
    FAILED_PRECONDITION: 'The agent is at version 1.',
  },

  handle: async ({ agentId }, { tx, caller }) => ({
    version: await restoreAgentVersion(tx, caller, agentId),
  }),
});
