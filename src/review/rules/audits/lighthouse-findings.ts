import { shorten } from '../../../lib/text/cut-text.ts';
import type { LighthouseAudit, LighthouseReport } from '../../../outside/lighthouse/lighthouse-report.ts';
import type { DraftFinding, Severity } from '../../../shapes/agents/execution.ts';
import { withoutTags } from './without-tags.ts';

/** Scores below are red in Lighthouse. Metrics between red and green vary from run to run. */
const RED = 0.5;
const GREEN = 0.9;
const MAX_ITEMS = 5;

/** A finding for each failed audit that the owner of the page can act on. */
export const lighthouseFindings = ({ audits }: LighthouseReport): DraftFinding[] =>
  audits.filter(hasFailed).map((audit): DraftFinding => {
    const { id, title, displayValue, items } = audit;
    const selector = items.find((item) => item.selector)?.selector ?? '';
    const measured = displayValue ? ` Measured: ${displayValue}.` : '';
    return {
      title: plainText(title),
      description: `${plainText(audit.description)}${measured}${named(audit)}`,
      severity: severityOf(audit),
      issueType: id,
      suggestion: suggestionOf(audit),
      confidence: isMetric(audit) ? 80 : 100,
      htmlSelector: selector,
      ...(items[0]?.snippet && selector && { htmlSnippet: shorten(items[0].snippet, 400) }),
      isPageLevel: selector === '',
      findingType: selector ? 'pin' : 'page',
    };
  });

const isMetric = ({ scoreDisplayMode, weights }: LighthouseAudit): boolean =>
  scoreDisplayMode === 'numeric' && (weights.performance ?? 0) > 0;

function hasFailed(audit: LighthouseAudit): boolean {
  const { score, scoreDisplayMode, weights } = audit;
  if (score === null || /^(informative|notApplicable|manual|error)$/.test(scoreDisplayMode)) return false;
  if (isMetric(audit)) return score < RED;
  // Audits without weight are advice, worth reporting where there is much to gain.
  const counts = Object.values(weights).some((weight) => weight > 0);
  return counts ? score < GREEN : score < RED && Object.keys(weights).length > 0;
}

function severityOf({ score, weights }: LighthouseAudit): Severity {
  const weight = Math.max(0, ...Object.values(weights));
  if (weight === 0) return 'low';
  if (weight >= 7 && score! < RED) return 'high';
  return weight >= 3 || score! < RED ? 'medium' : 'low';
}

function named({ items }: LighthouseAudit): string {
  const names = items.flatMap(({ url, text, selector }) => url ?? text ?? selector ?? []);
  if (names.length === 0) return '';
  const shown = [...new Set(names)].slice(0, MAX_ITEMS).map((name) => shorten(name, 150));
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
  return ` It is about: ${shown.join(', ')}${more}.`;
}

/** The link to advice at the end of Lighthouse's descriptions. */
function suggestionOf({ description }: LighthouseAudit): string {
  const link = /\[([^\]]*)\]\((https?:[^)]+)\)/.exec(description);
  return link ? `${link[1]!.replace(/^\w/, (letter) => letter.toUpperCase())}: ${link[2]}` : '';
}

const plainText = (markdown: string): string =>
  withoutTags(markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .replaceAll('`', '')
    .trim();
