import { plural } from '../../lib/text/plural.ts';
import { profanityRules } from '../rules/profanity/profanity-rules.ts';
import { countByType, loadReviewedPage, READ_BY_RULES } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Finds vulgar, insulting and hateful words. */
export const profanityFilter: Service = {
  id: 'profanity-filter',
  isPublic: false,
  reads: READ_BY_RULES,
  isQuick: true,
  rules: { category: 'language', table: profanityRules },

  async run(task, context) {
    const { findProfanity } = await import('../rules/profanity/profanity.ts');
    const findings = findProfanity((await loadReviewedPage(task, context)).words);
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${plural(findings.length, 'offensive passage')}.`,
    };
  },
};
