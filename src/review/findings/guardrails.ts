import { safeText } from '../../lib/text/html.ts';
import type { Finding } from '../../shapes/agents/execution.ts';

const MIN_CONFIDENCE = 50;

/** Drops findings below `MIN_CONFIDENCE` and repeats, and removes markup that a browser would run from the others. */
export function guardrails(findings: Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings
    .filter((finding) => finding.confidence >= MIN_CONFIDENCE)
    .map(sanitized)
    .filter((finding) => {
      const key = JSON.stringify([
        finding.sourceUrl,
        finding.targetText,
        finding.occurrence,
        finding.issueType,
        finding.url,
        finding.htmlSelector,
        finding.targetElementXpath,
      ]);
      return !seen.has(key) && seen.add(key);
    });
}

const sanitized = (finding: Finding): Finding => ({
  ...finding,
  title: safeText(finding.title),
  description: safeText(finding.description),
  suggestion: safeText(finding.suggestion),
});
