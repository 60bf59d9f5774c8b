import type { SentChoices } from '../../shapes/agents/review.ts';

/** The choices that a request has. What may hold secrets, such as variables, is not among them. */
export const choicesOf = ({ pages, sitemap, screenshots, severities }: SentChoices): SentChoices => ({
  ...(pages && { pages }),
  ...(sitemap && { sitemap }),
  ...(screenshots && { screenshots }),
  ...(severities && { severities }),
});
