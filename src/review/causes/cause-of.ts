import { md5 } from '../../lib/ids.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import { elementSignature } from './element-signature.ts';

/**
 * Id of what a finding comes from, equal on all pages of a site and in all of its runs, and for all agents that report
 * the same fault. A rule that knows the cause names it (`DraftFinding.cause`); otherwise it is the address, the words
 * or the component that the finding is about.
 */
export const causeIdOf = (finding: DraftFinding, pageUrl: string): string =>
  md5(finding.cause ?? defaultCause(finding, pageUrl));

/** The cause of all faults of an address, whatever names it. */
export const causeOfAddress = (url: string): string => `address ${url}`;

/** The cause of a broken accessibility rule: the rule and the component that breaks it. */
export const causeOfRule = (rule: string, selector: string, snippet: string, pageUrl: string): string =>
  `rule ${rule} ${elementSignature(rule, selector, snippet, pageUrl)}`;

function defaultCause(
  { issueType, title, url, targetText, htmlSelector, htmlSnippet }: DraftFinding,
  pageUrl: string,
): string {
  if (url !== undefined) return causeOfAddress(url);
  const subject = normalized(targetText || title);
  const element = htmlSnippet ? elementSignature(issueType, htmlSelector ?? '', htmlSnippet, pageUrl) : '';
  return [issueType, subject, targetText ? '' : element].join('\n');
}

const normalized = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
