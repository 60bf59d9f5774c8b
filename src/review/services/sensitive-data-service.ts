import { findSecrets } from '../rules/secrets/find-secrets.ts';
import type { Service } from './review-service.ts';
import { countByType, howMany, reviewedPage } from './reviewed-page.ts';

/** Finds keys, passwords and other secrets that a page gives away. */
export const sensitiveData: Service = {
  id: 'sensitive-data',
  isPublic: false,

  async run(task, context) {
    const findings = await findSecrets(await reviewedPage(task, context));
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${howMany(findings.length, 'leak')}.`,
    };
  },
};
