import { shorten } from '../lib/text/cut-text.ts';
import type { Severity } from '../shapes/agents/execution.ts';
import { markdownText } from './markdown-text.ts';
import { strictAddress, webAddress } from './page-address.ts';
import { asSentence, oneLine } from './plain-text.ts';
import type { Report, ReportFinding, ReportRule } from './report.ts';

export const LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** GitHub's limits of the texts of a rule, in characters, and of its tags. */
const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 1_024;
const MOST_TAGS = 20;

/** GitHub shows findings of rules with a score as security alerts, so no other category has one. */
const SECURITY_CATEGORIES: readonly string[] = ['security', 'secrets', 'privacy'];
const SECURITY_SCORES: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.5',
  info: '0.5',
};
const PROBLEM_SEVERITIES = { error: 'error', warning: 'warning', note: 'recommendation' } as const;

export const ruleIdOf = ({ issueType }: Pick<ReportFinding, 'issueType'>): string =>
  shorten(oneLine(issueType), LONGEST_NAME) || 'finding';

/** A rule for each issue type of the findings, in the order of their first finding. */
export function sarifRules(findings: readonly ReportFinding[], { rules }: Report) {
  const byId = Map.groupBy(findings, ruleIdOf);
  return Array.from(byId, ([id, [first]]) =>
    sarifRule(id, Object.hasOwn(rules, first!.issueType) ? rules[first!.issueType]! : unknownRule(first!)),
  );
}

/** An issue type that a model has made up. */
const unknownRule = ({ issueType, severity }: ReportFinding): ReportRule => ({
  title: oneLine(issueType).replaceAll(/[-_]+/g, ' ') || 'Finding',
  help: 'A language model reports this kind of fault. Each result describes what is wrong, and how to mend it.',
  category: '',
  defaultSeverity: severity,
});

function sarifRule(id: string, { title, help, helpUrl, category, defaultSeverity }: ReportRule) {
  const name = oneLine(title) || id;
  const text = oneLine(help) || asSentence(name);
  const page = helpUrl === undefined ? undefined : webAddress(helpUrl);
  const address = page && strictAddress(page);
  const isSecurity = SECURITY_CATEGORIES.includes(category);
  const tags = [...new Set([oneLine(category), ...(isSecurity ? ['security'] : [])].filter(Boolean))];
  const level = LEVELS[defaultSeverity];
  return {
    id,
    name: shorten(name, LONGEST_NAME),
    shortDescription: { text: shorten(name, LONGEST_DESCRIPTION) },
    fullDescription: { text: shorten(text, LONGEST_DESCRIPTION) },
    help: {
      text: address ? `${text}\n${address}` : text,
      markdown: `${markdownText(text, 10_000)}${address ? `\n\n[More about this rule](<${address}>)` : ''}`,
    },
    ...(address && { helpUri: address }),
    defaultConfiguration: { level },
    properties: {
      tags: tags.slice(0, MOST_TAGS),
      'problem.severity': PROBLEM_SEVERITIES[level],
      ...(isSecurity && { 'security-severity': SECURITY_SCORES[defaultSeverity] }),
    },
  };
}
