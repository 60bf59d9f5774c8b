import { plural } from '../../lib/text/plural.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { type PageAccessibility, webPageAccessibility } from '../gather/web-page-accessibility.ts';
import { accessibilityFindings } from '../rules/audits/accessibility-findings.ts';
import { accessibilityRules } from '../rules/audits/accessibility-rules.ts';
import { gatheredData } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

export interface AccessibilityData {
  violations: { rule: string; impact: string | null; help: string; helpUrl: string; places: number }[];
  /** Rules that only a person can decide. */
  incomplete: { rule: string; help: string; places: number }[];
  rulesPassed: number;
}

/** Reports the accessibility rules that axe-core finds broken. */
export const accessibilityChecker: Service = {
  id: 'accessibility-checker',
  isPublic: true,
  reads: [webPageAccessibility.name],
  isQuick: true,
  rules: { category: 'accessibility', table: accessibilityRules },
  choice: {
    demand: 'for accessibility as a whole',
    askedBy: /\b(accessibility|accessible|wcag|a11y|axe)\b/i,
    // Pictures and cards of a preview are checked by og-image-checker.
    unless:
      /\b(alt|alternative|contrast|aria|keyboard|focus|tab|labels?|headings?|captions?|screen ?readers?|skip|zoom|buttons?|forms?|images?|links?|colou?rs?|videos?|menus?|name|(open ?graph|social|sharing|share|preview) (picture|card)s?)\b/i,
    reason: 'Accessibility as a whole is checked by rule, which needs no model.',
    strategies: ['web-page-accessibility'],
  },

  async run(task, context) {
    const audit =
      gatheredData<PageAccessibility>(webPageAccessibility.name, task) ?? (await readPage(task, context));
    const findings = accessibilityFindings(audit);
    const { violations, incomplete, passes } = audit;
    const places = violations.reduce((sum, rule) => sum + rule.count, 0);
    const data: AccessibilityData = {
      violations: violations.map(({ id, impact, help, helpUrl, count }) => ({
        rule: id,
        impact,
        help,
        helpUrl,
        places: count,
      })),
      incomplete: incomplete.map(({ id, help, count }) => ({ rule: id, help, places: count })),
      rulesPassed: passes,
    };
    return {
      findings,
      data,
      summary: `${plural(violations.length, 'rule')} broken in ${plural(places, 'place')}; ${plural(passes, 'rule')} passed.`,
    };
  },
};

function readPage(
  { url, deviceType }: PageTask,
  { browser, signal }: PageContext,
): Promise<PageAccessibility> {
  const options = webPageAccessibility.options.parse({});
  const view = webPageAccessibility.view(options, deviceType);
  return browser.withPage(url, view, { signal }, (loaded) =>
    webPageAccessibility.gather({
      url,
      deviceType: view.deviceType,
      options,
      page: loaded.page,
      loaded,
      signal,
    }),
  );
}
