import type { AccessibilityData } from '../services/accessibility-service.ts';
import { hasList, MAX_LISTED, pagesWithData, responseAdapter } from './response-adapter.ts';

/** `pages` has the first of them, `pageCount` their number. */
type BrokenRule = AccessibilityData['violations'][number] & { pageCount: number; pages: string[] };

/** Which accessibility rules are broken, how often, and on which pages. */
export const accessibilityCheckerResponse = responseAdapter({
  name: 'accessibility-checker-response',

  async respond(results) {
    let pagesChecked = 0;
    const byImpact: Record<string, number> = {};
    const rules = new Map<string, BrokenRule>();
    for await (const { url, data } of pagesWithData(results, isAccessibilityData)) {
      pagesChecked += 1;
      for (const violation of data.violations) {
        const { rule, places } = violation;
        const impact = violation.impact ?? 'unknown';
        const known = rules.get(rule) ?? { ...violation, places: 0, pageCount: 0, pages: [] };
        known.places += places;
        known.pageCount += 1;
        if (known.pages.length < MAX_LISTED) known.pages.push(url);
        rules.set(rule, known);
        byImpact[impact] = (byImpact[impact] ?? 0) + places;
      }
    }
    return {
      accessibilityResults: {
        pagesChecked,
        totalViolations: [...rules.values()].reduce((sum, { places }) => sum + places, 0),
        byImpact,
        rules: [...rules.values()].sort((one, other) => other.places - one.places),
      },
    };
  },
});

const isAccessibilityData = (data: unknown): data is AccessibilityData => hasList(data, 'violations');
