import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { versionNumber } from '../../../shapes/agents/agent.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { restoreAgentVersion } from '../../../store/agents/agent-versions.ts';

export default write({
  path: '/v2/agents/versions/restore',
  auth: 'apiKey',
  summary: 'Restore a version of a custom agent, by default the one before the current.',
  description:
    'Creates a new version with the content of the restored one. Version numbers are never reused.',
  data: z
    .object({
      agentId,
      version: versionNumber
        .optional()
        .describe('The version to restore. Defaults to the one before the current version.'),
    })
    .meta({ examples: [{ agentId: 'agent_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ version: z.number().int() }),
  message: 'Version restored successfully',
  failures: {
    NOT_FOUND: 'The agent does not exist, is not a custom agent, or has no such version.',
    FAILED_PRECONDITION: 'The agent is at version 1, or the version is the current one.',
  },
  audit: {
    action: 'agent.version_restored',
    of: ({ agentId, version: restored }, { version }) => ({ id: agentId, after: { version, restored } }),
  },

  handle: async ({ agentId, version }, { tx, caller }) => ({
    version: await restoreAgentVersion(tx, caller, agentId, version),
  }),
});
