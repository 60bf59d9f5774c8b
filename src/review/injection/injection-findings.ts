import { shorten } from '../../lib/text/cut-text.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import type { RuleEntry } from '../../shapes/agents/rule.ts';
import type { Injection } from './injection.ts';
import type { InjectionKind } from './signals/signal.ts';

/** Issue type of findings about prompt injections. */
export const INJECTION_ISSUE = 'page-injection';

/** The issue type of this room. */
export const injectionRules = {
  [INJECTION_ISSUE]: {
    title: 'The page tries to instruct its reviewer',
    help: 'A passage of the page speaks to automatic reviewers and tells them what to do or to find. It was not followed. Find out who put it there, and remove it if it is not meant to be on the page.',
    severity: 'high',
  },
} satisfies Record<string, RuleEntry>;

/** Limit per page; more findings of this kind say nothing new. */
const MAX_FINDINGS = 10;

const AIMS: Record<InjectionKind, string> = {
  override: 'tells an automatic reviewer to drop its instructions or to follow others',
  role: 'speaks as if it were the system that instructs an automatic reviewer, or gives the reviewer another role',
  suppress: 'tells an automatic reviewer what to find or not to find',
  exfiltrate: 'tells an automatic reviewer to give away what it knows, or to send something elsewhere',
  tool: 'tries to make an automatic reviewer call a tool',
};

/** A finding for each prompt injection of a page. `saysNothing` is true if the review found nothing besides. */
export const injectionFindings = (
  injections: readonly Injection[],
  { saysNothing }: { saysNothing: boolean },
): DraftFinding[] => injections.slice(0, MAX_FINDINGS).map((one) => findingOf(one, saysNothing));

function findingOf(injection: Injection, saysNothing: boolean): DraftFinding {
  const { kind, where, quote, reading, hiding, confidence } = injection;
  const isShown = hiding === undefined && where.startsWith('web-page-');
  return {
    title: injectionRules[INJECTION_ISSUE].title,
    description: [
      `A passage ${AIMS[kind]}: “${shorten(reading, 300)}”`,
      `It was found in ${where}${hiding === undefined ? '' : `, ${hiding}`}. It was read as part of the material and not followed.`,
      ...(saysNothing
        ? [
            'The review reports nothing else on this page, which may be what the passage is after; look at the page yourself.',
          ]
        : []),
    ].join('\n'),
    severity: injectionRules[INJECTION_ISSUE].severity,
    issueType: INJECTION_ISSUE,
    targetText: isShown ? quote : '',
    findingType: isShown ? 'text' : 'page',
    isPageLevel: !isShown,
    suggestion: 'Find out who put the passage there, and remove it if it is not meant to be on the page.',
    confidence,
  };
}
