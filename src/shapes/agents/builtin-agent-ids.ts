/** Ids of the agents that every API key has, below the agents themselves so that refusals may name them. */
export const BUILTIN_AGENT_IDS = [
  'spell-check',
  'grammar-check',
  'broken-links',
  'pii-detection',
  'profanity-filter',
  'sensitive-data',
  'lighthouse',
  'accessibility-checker',
  'og-image-checker',
  'lorem-ipsum',
  'screenshot',
  'crawler',
  'docs-code-comparison',
] as const;
