import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { redactSecrets } from '../../../review/agents/agent-secrets.ts';
import { versionFields } from '../../../review/agents/agent-shape/agent-shape.ts';
import { agentVersion } from '../../../shapes/agents/agent.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { documentedAs, named } from '../../../shapes/named.ts';
import { listAgentVersions } from '../../../store/agents/agent-versions.ts';

const described = named(
  'AgentVersion',
  documentedAs(z.looseObject({ ...versionFields.shape, ...agentVersion.shape }), agentVersion, 'input'),
);

export default read({
  path: '/v2/agents/versions/list',
  auth: 'apiKey',
  summary: 'List the versions of a custom agent, newest first.',
  description:
    'All versions are returned at once, with their behavior; secrets are returned as `__redacted__`. agents/versions/restore makes an earlier one current again.',
  data: z.object({ agentId }).meta({ examples: [{ agentId: 'agent_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ versions: z.array(described) }),
  message: 'Versions listed successfully',
  failures: { NOT_FOUND: 'The agent does not exist or is not a custom agent.' },

  async handle({ agentId }, { db, caller }) {
    const rows = await listAgentVersions(db, caller, agentId);
    return {
      versions: rows.map(({ version, createdAt, behavior }) => ({
        ...redactSecrets(behavior),
        id: `v${version}`,
        version,
        createdAt,
      })),
    };
  },
});
