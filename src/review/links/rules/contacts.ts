import { shorten } from '../../../lib/text/cut-text.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { linkIssue } from '../link-rules.ts';
import type { PageLink, PageLinks } from '../page/page-links.ts';
import { mailFault } from './mail-address.ts';
import { phoneFault } from './phone-number.ts';

const KINDS = {
  mail: {
    noun: 'mail link',
    title: 'Invalid mail address',
    issueType: 'invalid-mail-address' as const,
    suggestion: 'Write the address as mailto:name@example.com, with any fields after a question mark.',
    faultOf: mailFault,
  },
  phone: {
    noun: 'telephone link',
    title: 'Invalid telephone number',
    issueType: 'invalid-phone-number' as const,
    suggestion: 'Write the number as it is dialed from abroad, such as tel:+49301234567.',
    faultOf: phoneFault,
  },
};

/** Mail and telephone links that cannot work, each address once, at its first place. */
export function contactFindings({ contacts = [] }: PageLinks): DraftFinding[] {
  const byAddress = Map.groupBy(contacts, ({ url }) => url);
  return [...byAddress.values()].flatMap(([first, ...others]) => {
    if (isFilledByScript(first!)) return [];
    const kind = /^mailto:/i.test(first!.url) ? KINDS.mail : KINDS.phone;
    const fault = kind.faultOf(first!.url);
    return fault === undefined ? [] : [contactFinding(first!, kind, fault, others.length + 1)];
  });
}

function contactFinding(
  link: PageLink,
  { noun, title, issueType, suggestion }: (typeof KINDS)['mail' | 'phone'],
  fault: string,
  count: number,
): DraftFinding {
  const often = count > 1 ? ` The page has it ${count} times.` : '';
  return {
    title: `${title}: ${link.text ? `“${shorten(link.text, 80)}”` : shorten(link.url, 80)}`,
    description: `The ${noun} ${shorten(link.url, 200)} ${fault}.${often}`,
    ...linkIssue(issueType),
    url: link.url,
    targetText: link.text,
    occurrence: link.occurrence,
    htmlSelector: link.selector,
    htmlSnippet: link.snippet,
    findingType: link.text ? 'text' : 'page',
    confidence: 95,
    suggestion,
  };
}

/** An empty address that a script fills when the link is used, to hide it from harvesters. */
const isFilledByScript = ({ url, snippet }: PageLink): boolean =>
  /^(mailto|tel):(#|\?|$)/i.test(url) &&
  /\s(on\w+|data-[\w-]+|@click|v-bind:href|:href|ng-href)=/i.test(snippet);
