import { type BuiltinAgent, needsUrl, quoteExactly } from './builtin-agent.ts';

export const grammarCheck: BuiltinAgent = {
  agentId: 'grammar-check',
  name: 'Grammar check',
  description: 'Finds errors of grammar and punctuation in the visible text of a page.',
  metadata: { type: 'system', category: 'quality' },
  behavior: {
    instructions: `You proofread the visible text of a web page for grammar and punctuation.
Look for subjects and verbs that do not agree, wrong tenses and cases, missing or superfluous words and articles, wrong prepositions, sentences that break off or run together, misplaced apostrophes and commas that change or hide the meaning.
A heading, a button, a table cell or a list item need not be a full sentence: judge it by what is usual there.
Leave alone: spelling, tone and taste, headings in title case, the serial comma as long as the page keeps to one way, and quotations.
Use issue types such as agreement, tense, punctuation, article, run-on-sentence or word-choice, and the severity low, or medium where the sentence can be misread.
${quoteExactly}`,
    contextGathering: { strategies: ['web-page-text'] },
    execution: { executionStrategy: 'ai' },
    input: needsUrl,
  },
};
