import type { RuleEntry } from '../../../shapes/agents/rule.ts';

/** The issue types of the rules about spelling. */
export const spellingRules = {
  spelling: {
    title: 'Misspelled word',
    help: 'The word is in no dictionary of its language and comes near another one. Correct it, or add it to the own words of the agent or to the memory.',
    severity: 'low',
    otherwise: [{ severity: 'medium', when: 'The word stands in a heading or in the title of the page.' }],
  },
  'repeated-word': {
    title: 'Repeated word',
    help: 'A word stands twice in a row. Remove one of them.',
    severity: 'low',
  },
  'possible-misspelling': {
    title: 'Words that may be misspelled',
    help: 'The words are in no dictionary, or stand twice in a row, and may be right all the same. Correct those that are wrong, and add the others to the own words of the agent.',
    severity: 'info',
  },
} satisfies Record<string, RuleEntry>;
