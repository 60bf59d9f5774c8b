import { plural } from '../../lib/text/plural.ts';
import { secretRules } from '../rules/secrets/secret-rules.ts';
import { countByType, loadReviewedPage, READ_BY_RULES } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Finds keys, passwords and other secrets that a page gives away. */
export const sensitiveData: Service = {
  id: 'sensitive-data',
  isPublic: false,
  reads: READ_BY_RULES,
  isQuick: true,
  rules: { category: 'secrets', table: secretRules },

  async run(task, context) {
    const { findSecrets } = await import('../rules/secrets/find-secrets.ts');
    const findings = await findSecrets(await loadReviewedPage(task, context));
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${plural(findings.length, 'leak')}.`,
    };
  },
};
