import { shorten } from '../../../lib/text/cut-text.ts';
import type { DraftFinding, Severity } from '../../../shapes/agents/execution.ts';
import { causeOfRule } from '../../causes/cause-of.ts';
import type { AccessibilityRule, PageAccessibility } from '../../gather/web-page-accessibility.ts';
import { criteriaOf } from './wcag.ts';
import { withoutTags } from './without-tags.ts';

/** Findings per rule; the last one has the number of further places. */
const MAX_PLACES = 10;

/** Severities by the impact that axe-core names. */
export const SEVERITIES: Record<string, Severity> = {
  critical: 'critical',
  serious: 'high',
  moderate: 'medium',
  minor: 'low',
};

/** A finding for each element that breaks a rule, up to a limit per rule. */
export const accessibilityFindings = ({ url, violations }: PageAccessibility): DraftFinding[] =>
  violations.flatMap((rule) => {
    const shown = rule.nodes.slice(0, MAX_PLACES);
    return shown.map((node, index): DraftFinding => {
      const more = index === shown.length - 1 ? rule.count - shown.length : 0;
      const also = more > 0 ? ` The same is so in ${more} more place${more === 1 ? '' : 's'}.` : '';
      const why = withoutTags(sentences(node.failureSummary));
      return {
        title: withoutTags(rule.help),
        description: `${withoutTags(rule.description)}. ${account(rule)}${also}`,
        severity: accessibilitySeverity(rule, node.impact),
        issueType: rule.id,
        cause: causeOfRule(rule.id, node.selector, node.html, url),
        suggestion: why,
        confidence: 100,
        htmlSelector: node.selector,
        htmlSnippet: shorten(node.html, 400),
        isPageLevel: false,
        findingType: /^(html|head|title|meta)\b/.test(node.selector) ? 'page' : 'pin',
      };
    });
  });

function account({ tags, helpUrl }: AccessibilityRule): string {
  const criteria = criteriaOf(tags);
  const which =
    criteria.length > 0
      ? `It breaks WCAG ${criteria.join(' and ')}.`
      : 'It is good practice and no criterion of WCAG.';
  return `${which} See ${helpUrl}.`;
}

/** The severity of a rule, or of an element with an impact of its own. */
export const accessibilitySeverity = (
  { impact, tags }: Pick<AccessibilityRule, 'impact' | 'tags'>,
  own: string | null = null,
): Severity => {
  const severity = SEVERITIES[own ?? impact ?? ''] ?? 'medium';
  return tags.includes('best-practice') && severity !== 'low' ? 'low' : severity;
};

/** Joins the failure summary of axe-core, a list with two headings, into sentences. */
const sentences = (summary: string): string =>
  summary
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line, index) => (index === 0 || line.endsWith(':') ? line : `${line.replace(/[.;]$/, '')};`))
    .join(' ')
    .replace(/;$/, '.');
