import type { TaskResult } from '../core/execute-task.ts';
import type { AccessibilityData } from '../execute/services/accessibility-service.ts';

/** Sums up a run of `accessibility-checker`: which rules are broken, how often, and on which pages. */
export function accessibilityCheckerResponse(results: readonly { url: string; result: TaskResult }[]) {
  const pages = results.flatMap(({ url, result }) =>
    isAccessibilityData(result.data) ? [{ url, ...result.data }] : [],
  );
  const byImpact: Record<string, number> = {};
  const rules = new Map<
    string,
    { rule: string; impact: string | null; help: string; helpUrl: string; places: number; pages: string[] }
  >();
  for (const { url, violations } of pages) {
    for (const { rule, impact, help, helpUrl, places } of violations) {
      const known = rules.get(rule) ?? { rule, impact, help, helpUrl, places: 0, pages: [] };
      known.places += places;
      known.pages.push(url);
      rules.set(rule, known);
      byImpact[impact ?? 'unknown'] = (byImpact[impact ?? 'unknown'] ?? 0) + places;
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
}

const isAccessibilityData = (data: unknown): data is AccessibilityData =>
  typeof data === 'object' && data !== null && 'violations' in data && Array.isArray(data.violations);
