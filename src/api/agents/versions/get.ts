import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { redactSecrets } from '../../../review/agents/agent-secrets.ts';
import { versionFields } from '../../../review/agents/agent-shape/agent-shape.ts';
import { agentVersion, versionNumber } from '../../../shapes/agents/agent.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { documentedAs, named } from '../../../shapes/named.ts';
import { getAgentVersion } from '../../../store/agents/agent-versions.ts';

const shown = agentVersion.extend({ isCurrent: z.boolean().describe('True if runs use this version.') });
const described = named(
  'ShownAgentVersion',
  documentedAs(z.looseObject({ ...versionFields.shape, ...shown.shape }), shown, 'input'),
);

export default read({
  path: '/v2/agents/versions/get',
  auth: 'apiKey',
  summary: 'Get a version of a custom agent with its behavior.',
  description: 'Secrets are returned as `__redacted__`.',
  data: z
    .object({ agentId, version: versionNumber.optional().describe('Defaults to the current version.') })
    .meta({ examples: [{ agentId: 'agent_1a2B3cD4eF5gH6jK7mN8', version: 1 }] }),
  result: z.object({ version: described }),
  message: 'Version fetched successfully',
  failures: { NOT_FOUND: 'The agent does not exist, is not a custom agent, or has no such version.' },

  async handle({ agentId, version }, { db, caller }) {
    const row = await getAgentVersion(db, caller, agentId, version);
    return {
      version: {
        ...redactSecrets(row.behavior),
        id: `v${row.version}`,
        version: row.version,
        createdAt: row.createdAt,
        isCurrent: row.isCurrent,
      },
    };
  },
});
