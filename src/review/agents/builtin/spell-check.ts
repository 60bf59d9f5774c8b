import { type BuiltinAgent, needsUrl, quoteExactly } from './builtin-agent.ts';

export const spellCheck: BuiltinAgent = {
  agentId: 'spell-check',
  name: 'Spell check',
  description: 'Finds misspelled words and typing errors in the visible text of a page.',
  metadata: { type: 'system', category: 'quality' },
  behavior: {
    instructions: `You proofread the visible text of a web page for spelling alone.
First settle which language each part of the text is written in, and which variant of it (British or American, for example) the page uses; judge every part by its own language, and report a mixed variant only where one word is written in both ways.
A program has looked up every word in English, German, French, Spanish, Italian, Portuguese and Dutch in dictionaries; you get what it found. A finding of the type possible-misspelling names words of which the program is not sure: report those that are wrong as findings of their own. Dismiss what is a name, a term of the trade or a word of another language. Look yourself at text in other languages, and at words that are spelled right and yet are the wrong ones.
Look for misspelled words, letters that are swapped, missing or doubled, words written twice in a row, and words that run together.
Leave alone: names of people, companies, places and products, code, addresses and file names, quoted misspellings, abbreviations, deliberate coinages in slogans, and anything that is a matter of grammar or style.
Use the issue type spelling for misspelled words, repeated-word for words written twice, and the severity low, or medium where the error stands in a heading, a button or the navigation.
${quoteExactly}`,
    contextGathering: { strategies: ['web-page-text', 'web-page-html'] },
    execution: { executionStrategy: 'service+ai', serviceId: 'spell-check', modelOptional: true },
    input: needsUrl,
  },
};
