import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { parseData } from '../../../http/request/parse.ts';
import {
  keepSecrets,
  openMetadata,
  openSecrets,
  sealMetadata,
  sealSecrets,
} from '../../../review/agents/agent-secrets.ts';
import { newVersion, versionDraft } from '../../../review/agents/agent-shape/agent-shape.ts';
import { refuseMovedSecrets } from '../../../review/agents/moved-secrets.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { insertAgentVersion, lockAgentBehavior } from '../../../store/agents/agent-versions.ts';

const request = z.looseObject({ agentId });

export default write({
  path: '/v2/agents/versions/create',
  auth: 'apiKey',
  summary: 'Replace the behavior of a custom agent, as a new version.',
  description:
    'Fields that are left out are removed, except for `metadata`, which belongs to no version and keeps its value. What agents/get returns can be changed and sent, without the fields that are not part of a version. A secret that is sent as `__redacted__` keeps its value; entries of a list are matched by id, or by position if they have none, and keep an `auth` that is left out. No secret is kept beside an address that changes to another origin: send it again.',
  data: versionDraft.meta({
    examples: [
      {
        agentId: 'agent_1a2B3cD4eF5gH6jK7mN8',
        contextGathering: { strategies: ['web-page-links'] },
        execution: { executionStrategy: 'service', serviceId: 'broken-links' },
      },
    ],
  }),
  result: z.object({ version: z.number().int() }),
  message: 'Agent version created successfully',
  failures: { NOT_FOUND: 'The agent does not exist or is not a custom agent.' },
  audit: {
    action: 'agent.version_created',
    of: ({ agentId }, { version }) => ({ id: agentId as string, after: { version } }),
  },

  async handle(data, { tx, caller, keyring, settings }) {
    const { agentId, ...sent } = parseData(request, data);
    const owner = { apiKeyId: caller.apiKeyId, agentId };
    const stored = await lockAgentBehavior(tx, caller, agentId);
    const storedMetadata = openMetadata(stored.agent.metadata, keyring, owner);
    const opened = { ...openSecrets(stored.behavior, keyring, owner), metadata: storedMetadata };
    const next = keepSecrets(sent, opened);
    refuseMovedSecrets(sent, next, opened);
    parseData(newVersion(settings.checkUrl), next);
    const { metadata = storedMetadata, ...behavior } = next as { metadata?: Record<string, unknown> };
    const version = await insertAgentVersion(tx, caller, stored.agent, {
      behavior: sealSecrets(behavior, keyring, owner),
      metadata: sealMetadata(metadata, keyring, owner),
    });
    return { version };
  },
});
