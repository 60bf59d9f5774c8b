import { findProfanity } from '../rules/profanity/profanity.ts';
import type { Service } from './review-service.ts';
import { countByType, howMany, reviewedPage } from './reviewed-page.ts';

/** Finds vulgar, insulting and hateful words. */
export const profanityFilter: Service = {
  id: 'profanity-filter',
  isPublic: false,

  async run(task, context) {
    const findings = findProfanity((await reviewedPage(task, context)).words);
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${howMany(findings.length, 'offensive passage')}.`,
    };
  },
};
