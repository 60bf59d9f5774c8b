import { piiRules } from '../rules/pii/pii-rules.ts';
import { countByType, loadReviewedPage, READ_BY_RULES } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Finds data about private persons, shown or hidden in the HTML. */
export const piiDetection: Service = {
  id: 'pii-detection',
  isPublic: false,
  reads: READ_BY_RULES,
  isQuick: true,
  rules: { category: 'privacy', table: piiRules },

  async run(task, context) {
    const { findPersonalData } = await import('../rules/pii/pii.ts');
    const findings = findPersonalData(await loadReviewedPage(task, context));
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${findings.length === 1 ? '1 piece' : `${findings.length} pieces`} of personal data.`,
    };
  },
};
