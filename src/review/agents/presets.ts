import type { ReviewPreset } from '../../shapes/agents/review.ts';

/** The agents of each preset. None of them needs a model. */
export const PRESETS: Readonly<Record<ReviewPreset, readonly string[]>> = {
  launch: [
    'broken-links',
    'accessibility-checker',
    'spell-check',
    'lorem-ipsum',
    'og-image-checker',
    'sensitive-data',
  ],
  content: ['spell-check', 'lorem-ipsum', 'profanity-filter', 'broken-links'],
  accessibility: ['accessibility-checker'],
  privacy: ['pii-detection', 'sensitive-data'],
};
