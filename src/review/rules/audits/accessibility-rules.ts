import type { RuleTable } from '../../../shapes/agents/rule.ts';
import { accessibilitySeverity, SEVERITIES } from './accessibility-findings.ts';
import { criteriaOf } from './wcag.ts';
import { withoutTags } from './without-tags.ts';

/** The part of axe-core that its types leave out. */
interface AxeInside {
  _audit: { rules: { id: string; impact: string | null }[] };
}

/** The rules of axe-core, in its own words. */
export async function accessibilityRules(): Promise<RuleTable> {
  const { default: axe } = await import('axe-core');
  const { rules } = (axe as unknown as AxeInside)._audit;
  const impacts = new Map(rules.map(({ id, impact }) => [id, impact]));
  return Object.fromEntries(
    axe.getRules().map(({ ruleId, help, description, helpUrl, tags, enabled }) => {
      const severity = accessibilitySeverity({ impact: impacts.get(ruleId) ?? null, tags });
      const criteria = criteriaOf(tags);
      const sentences = [
        `${withoutTags(description)}.`,
        criteria.length > 0
          ? `It belongs to WCAG ${criteria.join(' and ')}.`
          : 'It is good practice and no criterion of WCAG.',
        ...(isOn(enabled, tags)
          ? []
          : ['It is checked only if the options of web-page-accessibility enable it.']),
      ];
      const entry = { title: withoutTags(help), help: sentences.join(' '), helpUrl, severity };
      return [ruleId, { ...entry, otherwise: othersOf(severity, tags) }];
    }),
  );
}

const isOn = (enabled: boolean, tags: readonly string[]): boolean =>
  enabled && !tags.includes('experimental') && !tags.includes('deprecated');

/** An element may have another impact than its rule; good practice is of low severity in any case. */
const othersOf = (severity: string, tags: readonly string[]) =>
  tags.includes('best-practice')
    ? []
    : Object.entries(SEVERITIES)
        .filter(([, other]) => other !== severity)
        .map(([impact, other]) => ({
          severity: other,
          when: `axe-core judges the impact on the element as ${impact}.`,
        }));
