import { z } from 'zod';
import { cutText } from '../../lib/text/cut-text.ts';
import { pageStrategy } from './gather-strategy.ts';
import { deviceTypeOption } from './reading/device-type-option.ts';
import { type AxeNode, type AxeRule, runAxe } from './reading/run-axe.ts';

const MAX_NODES = 500;
const MAX_PROMPT_NODES = 10;
const MAX_HTML_CHARS = 300;

const accessibilityOptions = z.looseObject({
  tags: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Checks only axe-core rules with one of these tags, such as `wcag2aa`.'),
  rules: z
    .record(z.string(), z.looseObject({ enabled: z.boolean() }))
    .optional()
    .describe('Enables or disables axe-core rules by rule id.'),
  deviceType: deviceTypeOption.optional(),
});

export interface PageAccessibility {
  url: string;
  /** Broken rules, each once. */
  violations: AccessibilityRule[];
  /** Rules that axe-core cannot decide, so that a person has to. */
  incomplete: AccessibilityRule[];
  /** Number of rules that the page keeps. */
  passes: number;
}

export interface AccessibilityRule extends Omit<AxeRule, 'nodes'> {
  nodes: AccessibilityNode[];
}

export interface AccessibilityNode extends AxeNode {
  /** Selects the element, or the frame or shadow host around it. */
  selector: string;
}

/** The results of axe-core for the page and its frames. */
export const webPageAccessibility = pageStrategy({
  name: 'web-page-accessibility',
  options: accessibilityOptions,
  choice: {
    shows: 'what an automatic checker of accessibility found',
    locates: 'elements',
    askedBy:
      /\b(accessib\w*|wcag|a11y|aria|alt|alternative texts?|contrast|keyboard|focus|screen ?readers?|tab order|skip links?)\b/i,
    rank: 60,
  },

  // Loads every resource, since contrast and sizes depend on styles, pictures and icon fonts.
  view: (options, deviceType) => ({ deviceType: options.deviceType ?? deviceType, waitUntil: 'settled' }),

  async gather({ page, options: { tags, rules } }): Promise<PageAccessibility> {
    const results = await runAxe(
      page,
      { ...(tags && { runOnly: { type: 'tag', values: tags } }), ...(rules && { rules }) },
      { maxNodes: MAX_NODES },
    );
    const withSelectors = (rule: AxeRule): AccessibilityRule => ({
      ...rule,
      nodes: rule.nodes.map((node) => ({ ...node, selector: selectorOf(node) })),
    });
    return {
      url: page.url(),
      violations: results.violations.map(withSelectors),
      incomplete: results.incomplete.map(withSelectors),
      passes: results.passes,
    };
  },

  toPrompt({ url, violations, incomplete, passes }) {
    const count = violations.reduce((sum, rule) => sum + rule.count, 0);
    const head = `Accessibility of ${url} as axe-core judges it: ${violations.length} rules broken by ${count} elements, ${passes} rules kept, ${incomplete.length} that only a person can judge.`;
    const open = incomplete.map((rule) => `- ${rule.id}: ${rule.help} (${rule.count})`);
    const review = open.length > 0 ? ['To be judged by a person:', ...open] : [];
    return [{ text: [head, ...violations.map(describe), ...review].join('\n') }];
  },
});

const selectorOf = ({ target: [step = ''] }: AxeNode): string =>
  (typeof step === 'string' ? step : step[0]) ?? '';

function describe({ id, impact, help, helpUrl, tags, count, nodes }: AccessibilityRule): string {
  const criteria = tags.filter((tag) => /^(wcag|best-practice)/.test(tag)).join(', ');
  const lines = [`- ${id} [${impact ?? 'no impact'}; ${criteria}] ${help} (${helpUrl})`];
  const shown = nodes.slice(0, MAX_PROMPT_NODES);
  let previous = '';
  for (const { target, html, failureSummary } of shown) {
    const why = failureSummary.replace(/\s*\n\s*/g, ' ');
    lines.push(`  - ${target.flat().join(' >> ')}`);
    lines.push(`    ${cutText(html.replace(/\s+/g, ' '), MAX_HTML_CHARS)}`);
    if (why !== previous) lines.push(`    ${why}`);
    previous = why;
  }
  if (count > shown.length) lines.push(`  (${count - shown.length} more elements)`);
  return lines.join('\n');
}
