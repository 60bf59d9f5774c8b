import { type BuiltinAgent, needsUrl, quoteExactly } from './builtin-agent.ts';

export const loremIpsum: BuiltinAgent = {
  agentId: 'lorem-ipsum',
  name: 'Placeholder text',
  description: 'Finds text that was meant to be replaced before the page was published.',
  metadata: { type: 'system', category: 'quality' },
  behavior: {
    instructions: `You look for text on a web page that stands in for text still to come.
A program has looked for the usual filler, phrases of templates, unfilled variables, and placeholder pictures and links; you get what it found. Dismiss what is meant to be so on this page, and look for what has no usual form.
Report: Latin filler in any of its versions, sentences such as "your text here", "insert heading" or "description goes here", unfilled template variables, notes of editors such as TBD, TODO or XXX, sample names, addresses and prices of a theme or template, and rows of repeated letters.
Text that is about placeholder text, an input field's own hint and examples in documentation are no findings.
Report a passage once, with its first words in targetText. Use the issue types lorem-ipsum, template-text, unfilled-variable or editorial-note, with the severity high in headings and in anything about prices or contracts, and medium elsewhere.
${quoteExactly}`,
    contextGathering: { strategies: ['web-page-text', 'web-page-html'] },
    execution: { executionStrategy: 'service+ai', serviceId: 'lorem-ipsum', modelOptional: true },
    input: needsUrl,
  },
};
