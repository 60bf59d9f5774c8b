import { findPlaceholders } from '../rules/placeholder/placeholder.ts';
import type { Service } from './review-service.ts';
import { countByType, howMany, reviewedPage } from './reviewed-page.ts';

/** Finds text, pictures and links that stand in for content still to come. */
export const loremIpsum: Service = {
  id: 'lorem-ipsum',
  isPublic: false,

  async run(task, context) {
    const findings = findPlaceholders(await reviewedPage(task, context));
    return {
      findings,
      data: { byType: countByType(findings) },
      summary: `Found ${howMany(findings.length, 'placeholder')}.`,
    };
  },
};
