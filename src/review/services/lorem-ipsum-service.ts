import { plural } from '../../lib/text/plural.ts';
import { placeholderRules } from '../rules/placeholder/placeholder-rules.ts';
import { countByType, loadReviewedPage, READ_BY_RULES } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Finds placeholder text, pictures and links. */
export const loremIpsum: Service = {
  id: 'lorem-ipsum',
  isPublic: false,
  reads: READ_BY_RULES,
  isQuick: true,
  rules: { category: 'placeholders', table: placeholderRules },

  async run(task, context) {
    const { findPlaceholders } = await import('../rules/placeholder/placeholder.ts');
    const findings = findPlaceholders(await loadReviewedPage(task, context));
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${plural(findings.length, 'placeholder')}.`,
    };
  },
};
