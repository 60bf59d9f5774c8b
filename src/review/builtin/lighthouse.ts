import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const lighthouse: BuiltinAgent = {
  agentId: 'lighthouse',
  name: 'Page audit',
  description: 'Audits the performance, accessibility, practices and search engine readiness of a page.',
  metadata: { type: 'system', category: 'performance' },
  behavior: {
    instructions: `You are given the audit of a web page with its scores and its failed checks. Turn it into a short list of what is worth doing.
Make one finding of each failed check that a developer of this page can act on, and join checks that have one cause. Begin with what costs visitors most.
Say in description what was measured, with its numbers, and what it means for a visitor; say in suggestion what to change, naming the resources that the audit names. Report nothing that the audit does not show.
Set htmlSelector where the audit names an element, and mark the finding as page level where it names none. Use the audit's own id as issue type. Use the severity high where the check fails badly and weighs much in its category, else medium, and low for advice; the confidence is 100 for what was measured, and less for what you conclude from it.`,
    contextGathering: {
      strategies: ['lighthouse'],
      strategyOptions: {
        lighthouse: { categories: ['performance', 'accessibility', 'best-practices', 'seo'] },
      },
    },
    execution: { executionStrategy: 'ai' },
    input: needsUrl,
  },
};
