import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const lighthouse: BuiltinAgent = {
  agentId: 'lighthouse',
  name: 'Page audit',
  description: 'Audits the performance, accessibility, practices and search engine readiness of a page.',
  metadata: { type: 'system', category: 'performance' },
  behavior: {
    instructions: `You are given the audit of a web page with its scores and its failed checks. Each failed check is reported already. Explain those that a developer of this page can act on: what was measured, with its numbers, what it means for a visitor, and what to change, naming the resources that the audit names. Dismiss one that has the same cause as another, and say which.
Report beyond them only what several checks together show and none of them says.
Report nothing that the audit does not show.
Set htmlSelector where the audit names an element, and mark the finding as page level where it names none. Use the audit's own id as issue type. Use the severity high where the check fails badly and weighs much in its category, else medium, and low for advice; the confidence is 100 for what was measured, and less for what you conclude from it.`,
    contextGathering: {
      strategies: ['lighthouse'],
      strategyOptions: {
        lighthouse: { categories: ['performance', 'accessibility', 'best-practices', 'seo'] },
      },
    },
    execution: { executionStrategy: 'service+ai', serviceId: 'lighthouse', modelOptional: true },
    input: needsUrl,
  },
};
