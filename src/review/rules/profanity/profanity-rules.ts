import type { RuleEntry } from '../../../shapes/agents/rule.ts';
import type { Offense } from './offensive-words.ts';

const MILD = { severity: 'low', when: 'The word is a mild one.' } as const;
const FIX = 'Say it in other words, or leave it out.';

/** The issue types of the rules about offensive language. */
export const profanityRules: Record<Offense, RuleEntry> = {
  threat: {
    title: 'Threat',
    help: `The words threaten a person. ${FIX}`,
    severity: 'critical',
  },
  slur: {
    title: 'Slur',
    help: `The words degrade people for what they are. ${FIX}`,
    severity: 'critical',
    otherwise: [MILD],
  },
  insult: {
    title: 'Insult',
    help: `The words insult a person. ${FIX}`,
    severity: 'high',
    otherwise: [MILD],
  },
  'sexual-content': {
    title: 'Sexual language',
    help: `The words are sexual. ${FIX}`,
    severity: 'high',
    otherwise: [MILD],
  },
  profanity: {
    title: 'Vulgar language',
    help: `The words are vulgar and likely to offend readers. ${FIX}`,
    severity: 'medium',
    otherwise: [MILD],
  },
};
