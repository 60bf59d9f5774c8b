import { z } from 'zod';
import { named } from '../named.ts';
import { type Severity, severity } from './execution.ts';

export const ruleCategories = [
  'accessibility',
  'links',
  'seo',
  'sharing',
  'spelling',
  'placeholders',
  'privacy',
  'secrets',
  'language',
  'performance',
  'best-practices',
  'consistency',
  'security',
] as const;
export type RuleCategory = (typeof ruleCategories)[number];

/** The meaning of an issue type and its severity, which the code that reports it reads here. */
export interface RuleEntry {
  title: string;
  /** Sentences that say what it means and how to fix it. */
  help: string;
  severity: Severity;
  /** Other severities, with the cases in which findings have them. */
  otherwise?: readonly { severity: Severity; when: string }[];
  helpUrl?: string;
  /** Default: the category of the table. */
  category?: RuleCategory;
}

export type RuleTable = Readonly<Record<string, RuleEntry>>;

/** A rule of the catalogue. */
export const rule = named(
  'AgentRule',
  z.object({
    issueType: z.string().describe('The `issueType` of findings.'),
    title: z.string(),
    help: z.string().describe('What the rule is about, and how to fix what it finds.'),
    helpUrl: z.string().optional().describe('A page with more on it.'),
    defaultSeverity: severity,
    otherSeverities: z
      .array(
        z.object({ severity, when: z.string().describe('The case in which it applies, as a sentence.') }),
      )
      .describe('Severities of some findings in place of the default.'),
    category: z.enum(ruleCategories),
    agents: z
      .array(z.string())
      .describe(
        'Ids of the built-in agents that report it. A custom agent reports what its service does; see `agentId`.',
      ),
  }),
);
export type Rule = z.infer<typeof rule>;

/** The rules of a table by issue type, for agents that are named later. */
export const rulesOf = (category: RuleCategory, table: RuleTable): Omit<Rule, 'agents'>[] =>
  Object.entries(table).map(([issueType, entry]) => ({
    issueType,
    title: entry.title,
    help: entry.help,
    ...(entry.helpUrl !== undefined && { helpUrl: entry.helpUrl }),
    defaultSeverity: entry.severity,
    otherSeverities: [...(entry.otherwise ?? [])],
    category: entry.category ?? category,
  }));
