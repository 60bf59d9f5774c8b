import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const brokenLinks: BuiltinAgent = {
  agentId: 'broken-links',
  name: 'Broken links',
  description:
    'Asks every link, image, script and fragment of a page and reports those that fail. Needs no model.',
  metadata: { type: 'system', category: 'quality' },
  behavior: {
    // The page is read in a browser, so that links added by scripts are checked as well.
    contextGathering: { strategies: ['web-page-links'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
    response: { responseAdapter: 'broken-links-response' },
    input: needsUrl,
  },
};
