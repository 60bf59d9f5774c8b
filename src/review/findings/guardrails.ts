import { safeText } from '../../lib/text/html.ts';
import type { DraftFinding, Finding } from '../../shapes/agents/execution.ts';

const MIN_CONFIDENCE = 50;

/** Fills what a strategy left open and numbers the findings of a page. */
export const completeFindings = (drafts: DraftFinding[], url: string, byModel: boolean): Finding[] =>
  drafts.map((draft, index) => ({
    targetText: '',
    occurrence: 1,
    sourceUrl: url,
    suggestion: '',
    htmlSelector: '',
    targetElementXpath: '',
    isPageLevel: false,
    findingType: draft.targetText ? 'text' : draft.htmlSelector ? 'pin' : 'page',
    source: 'instructions',
    ...draft,
    // A service states what it measured; a model may guess.
    confidence: draft.confidence ?? (byModel ? 50 : 100),
    id: `finding-${index + 1}`,
  }));

/** Keeps one of each finding, of those the finder itself is sure of, with nothing in them that a browser would run. */
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
