import { type BuiltinAgent, needsUrl, quoteExactly } from './builtin-agent.ts';

export const profanityFilter: BuiltinAgent = {
  agentId: 'profanity-filter',
  name: 'Profanity filter',
  description: 'Finds vulgar, insulting and hateful language, also where its spelling is disguised.',
  metadata: { type: 'system', category: 'compliance' },
  behavior: {
    instructions: `You look for language in the visible text of a web page that its publisher would not want there: vulgar words, insults, slurs, sexual allusions and threats, in every language that the page uses, and also where letters are replaced, spaced out or masked.
A program has looked for known words, also in disguise; you get what it found. Dismiss what means something else here, and look for what only its meaning makes offensive.
Judge by meaning and not by letters: the names of places and people, technical terms, medical language, words that merely contain another, and text that reports on offensive language or quotes it for a reason are no findings.
Use the issue types profanity, insult, slur, sexual-content or threat, with the severity critical for slurs and threats, high for insults and sexual content, and medium for the rest.
${quoteExactly}`,
    contextGathering: { strategies: ['web-page-text', 'web-page-html'] },
    execution: { executionStrategy: 'service+ai', serviceId: 'profanity-filter', modelOptional: true },
    input: needsUrl,
  },
};
