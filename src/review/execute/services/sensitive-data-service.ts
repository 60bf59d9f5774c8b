import type { Service } from '../../core/execute-task.ts';
import { findSecrets } from '../../rules/secrets/find-secrets.ts';
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
