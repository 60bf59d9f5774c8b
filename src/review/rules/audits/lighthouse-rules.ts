import { listKnownAudits } from '../../../outside/lighthouse/known-audits.ts';
import type { LighthouseAudit } from '../../../outside/lighthouse/lighthouse-report.ts';
import type { RuleCategory, RuleTable } from '../../../shapes/agents/rule.ts';
import { adviceOf, auditSeverity, auditTitle, explanationOf } from './lighthouse-findings.ts';

/** A score between red and green. */
const ORANGE = 0.7;

/** The audits of Lighthouse that lower a score, in its own words. */
export async function lighthouseRules(): Promise<RuleTable> {
  const audits = await listKnownAudits();
  return Object.fromEntries(
    audits.map((audit) => {
      const { id, weights } = audit;
      const severity = auditSeverity(0, weights);
      const partly = auditSeverity(ORANGE, weights);
      const isMetric = (weights.performance ?? 0) > 0;
      const helpUrl = adviceOf(audit)?.url;
      const entry = {
        title: auditTitle(audit),
        help: explanationOf(audit) || `${auditTitle(audit)}.`,
        severity,
        category: categoryOf(weights),
        ...(helpUrl !== undefined && { helpUrl }),
        ...(partly !== severity &&
          !isMetric && {
            otherwise: [{ severity: partly, when: 'The audit has half of its points or more.' }],
          }),
      };
      return [id, entry];
    }),
  );
}

const categoryOf = (weights: LighthouseAudit['weights']): RuleCategory => {
  if ((weights.accessibility ?? 0) > 0) return 'accessibility';
  if ((weights.seo ?? 0) > 0) return 'seo';
  return (weights.performance ?? 0) > 0 ? 'performance' : 'best-practices';
};
