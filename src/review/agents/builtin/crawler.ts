import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const crawler: BuiltinAgent = {
  agentId: 'crawler',
  name: 'Crawler',
  description: 'Lists the pages of a site that can be reached from one of them.',
  metadata: { type: 'system', category: 'tool', internal: true },
  behavior: {
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'crawler' },
    response: { responseAdapter: 'crawler-response' },
    postProcess: { annotations: { enabled: false } },
    input: needsUrl,
  },
};
