import sanitizeHtml from 'sanitize-html';
import type { DraftFinding, Finding } from '../../shapes/execution.ts';

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
      ]);
      return !seen.has(key) && seen.add(key);
    });
}

// Text without a tag is left alone: sanitizing it would write its `&` as an entity.
const inert = (text: string): string =>
  !text.includes('<')
    ? text
    : sanitizeHtml(text, {
        allowedTags: ['b', 'i', 'em', 'strong', 'code', 'br', 'p', 'ul', 'ol', 'li'],
        allowedAttributes: {},
        disallowedTagsMode: 'escape',
        parser: { decodeEntities: false },
      });

const sanitized = (finding: Finding): Finding => ({
  ...finding,
  title: inert(finding.title),
  description: inert(finding.description),
  suggestion: inert(finding.suggestion),
});
