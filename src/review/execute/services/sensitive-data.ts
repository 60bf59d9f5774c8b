import { findSecrets } from '../../rules/secrets/secrets.ts';
import type { Service } from '../strategy.ts';
import { countByType, howMany, reviewedPage } from './reviewed-page.ts';

/** Finds keys, passwords and other secrets that a page gives away. */
export const sensitiveData: Service = {
  id: 'sensitive-data',

  async run(task, context) {
    const findings = await findSecrets(await reviewedPage(task, context));
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${howMany(findings.length, 'leak')}.`,
    };
  },
};
