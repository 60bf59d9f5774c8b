import type { RuleEntry } from '../../../shapes/agents/rule.ts';

const PROMINENT = {
  severity: 'high',
  when: 'It stands in a heading, or in a passage about prices or contracts.',
} as const;

/** The issue types of the rules about content still to come. */
export const placeholderRules = {
  'lorem-ipsum': {
    title: 'Latin filler text',
    help: 'Filler text stands in for words still to be written. Put the real text there, or remove the passage.',
    severity: 'high',
  },
  'template-text': {
    title: 'Text of a template',
    help: 'The text is what a template has in the place of real words. Put the real text there, or remove the passage.',
    severity: 'medium',
    otherwise: [PROMINENT],
  },
  'unfilled-variable': {
    title: 'Variable that was not filled in',
    help: 'The name of a variable should have been replaced by a value. Fill in the value, or give the variable a default.',
    severity: 'medium',
    otherwise: [PROMINENT],
  },
  'editorial-note': {
    title: 'Note of an editor',
    help: 'A note such as TBD or TODO was meant for those who make the page. Do what the note asks and remove it.',
    severity: 'low',
  },
  'test-data': {
    title: 'Test data',
    help: 'The data is there for trying things out. Replace it by real data, or remove it.',
    severity: 'medium',
    otherwise: [PROMINENT],
  },
  'placeholder-image': {
    title: 'Placeholder picture',
    help: 'A picture stands in for one still to come. Put the real picture there, or remove it.',
    severity: 'medium',
  },
  'placeholder-link': {
    title: 'Link to an example address',
    help: 'A link leads to an example and to no real address. Put the real address there, or remove the link.',
    severity: 'medium',
  },
} satisfies Record<string, RuleEntry>;

/** The kinds of placeholders in text. */
export type PlaceholderKind = Exclude<
  keyof typeof placeholderRules,
  'placeholder-image' | 'placeholder-link'
>;
