import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const screenshot: BuiltinAgent = {
  agentId: 'screenshot',
  name: 'Screenshot',
  description: 'Takes a picture of the whole page.',
  metadata: { type: 'system', category: 'tool', internal: true },
  behavior: {
    contextGathering: {
      strategies: ['web-page-screenshot'],
      strategyOptions: { 'web-page-screenshot': { scrollBeforeCapture: true } },
    },
    execution: { executionStrategy: 'service', serviceId: 'screenshot' },
    response: { responseAdapter: 'screenshot-response' },
    postProcess: { annotations: { enabled: false } },
    input: needsUrl,
  },
};
