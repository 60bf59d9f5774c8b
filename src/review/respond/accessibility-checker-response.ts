import type { AccessibilityData } from '../services/accessibility-service.ts';
import { hasList, pagesWithData, responseAdapter } from './response-adapter.ts';

type BrokenRule = AccessibilityData['violations'][number] & { pages: string[] };

/** Which accessibility rules are broken, how often, and on which pages. */
export const accessibilityCheckerResponse = responseAdapter({
  name: 'accessibility-checker-response',

  respond(results) {
    const pages = pagesWithData(results, isAccessibilityData);
    const byImpact: Record<string, number> = {};
    const rules = new Map<string, BrokenRule>();
    for (const { url, data } of pages) {
      for (const violation of data.violations) {
        const { rule, places } = violation;
        const impact = violation.impact ?? 'unknown';
        const known = rules.get(rule) ?? { ...violation, places: 0, pages: [] };
        known.places += places;
        known.pages.push(url);
        rules.set(rule, known);
        byImpact[impact] = (byImpact[impact] ?? 0) + places;
      }
    }
    return {
      accessibilityResults: {
        pagesChecked: pages.length,
        totalViolations: [...rules.values()].reduce((sum, { places }) => sum + places, 0),
        byImpact,
        rules: [...rules.values()].sort((one, other) => other.places - one.places),
      },
    };
  },
});

const isAccessibilityData = (data: unknown): data is AccessibilityData => hasList(data, 'violations');
