import { z } from 'zod';
import { statement } from '../../http/endpoint.ts';
import { parseData } from '../../http/request/parse.ts';
import { sealMetadata, sealSecrets } from '../../review/agents/agent-secrets.ts';
import { agentDraft, newAgent } from '../../review/agents/agent-shape/agent-shape.ts';
import { agentInsertion, newAgentId } from '../../store/agents/agents.ts';

export default statement({
  path: '/v2/agents/create',
  auth: 'apiKey',
  summary: 'Create an agent with its first version.',
  description:
    'Unknown behavioral fields are stored and returned unchanged, except for secrets, which are recognized by names such as `token` or `apiKey` and returned as `__redacted__`.',
  data: agentDraft.meta({
    examples: [
      {
        name: 'Link review',
        contextGathering: { strategies: ['web-page-links'] },
        execution: { executionStrategy: 'service', serviceId: 'broken-links' },
      },
    ],
  }),
  result: z.object({ agentId: z.string() }),
  message: 'Agent created successfully',
  audit: { action: 'agent.created', recordsItself: true },

  async handle(data, { caller, keyring, settings, auditSource }) {
    parseData(newAgent(settings.checkUrl), data);
    // Stores the request as it was sent, without the defaults of its schema, which may change.
    const { name, description, enabled, metadata, ...behavior } = data as AgentData;
    const agentId = newAgentId();
    const owner = { apiKeyId: caller.apiKeyId, agentId };
    const statement = agentInsertion(
      caller,
      {
        agentId,
        name,
        description: description ?? null,
        enabled: enabled ?? true,
        metadata: sealMetadata(metadata ?? {}, keyring, owner),
        behavior: sealSecrets(behavior, keyring, owner),
      },
      auditSource,
    );
    return { statement, result: () => ({ agentId }) };
  },
});

interface AgentData extends Record<string, unknown> {
  name: string;
  description?: string;
  enabled?: boolean;
  metadata?: Record<string, unknown>;
}
