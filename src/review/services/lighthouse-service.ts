import { plural } from '../../lib/text/plural.ts';
import type { LighthouseReport } from '../../outside/lighthouse/lighthouse-report.ts';
import { lighthouseFindings } from '../rules/audits/lighthouse-findings.ts';
import { lighthouseRules } from '../rules/audits/lighthouse-rules.ts';
import { gatheredData } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Reports the failed audits of Lighthouse. */
export const lighthouse: Service = {
  id: 'lighthouse',
  isPublic: false,
  reads: ['lighthouse'],
  isQuick: true,
  rules: { category: 'performance', table: lighthouseRules },

  async run(task) {
    const report = gatheredData<LighthouseReport>('lighthouse', task);
    if (!report)
      throw new Error('The page was not audited: contextGathering.strategies must contain lighthouse.');
    const findings = lighthouseFindings(report);
    const { scores, metrics, formFactor, version, finalUrl, warnings } = report;
    const shares = Object.entries(scores).map(([category, score]) => `${category} ${score ?? 'unknown'}`);
    return {
      findings,
      data: { scores, metrics, formFactor, version, finalUrl, warnings },
      summary: `Scores of 100: ${shares.join(', ')}; ${plural(findings.length, 'audit')} failed.`,
    };
  },
};
