import { shorten } from '../../lib/text/cut-text.ts';
import type { DraftFinding, Severity } from '../../shapes/agents/execution.ts';
import type { Fault } from './link-fault.ts';
import { type LinkIssue, linkIssue, linkRules } from './link-rules.ts';
import { isHostFault } from './outside-reach.ts';
import type { LinkKind } from './page/link-kind.ts';
import type { PageLink } from './page/page-links.ts';

/** A faulty address of a page, with the element that names it. */
export interface FaultyLink {
  link: PageLink;
  fault: Fault;
  /** Number of times that the page names the address. */
  count: number;
  /** The stylesheet that names the address, if it is not the page itself. */
  stylesheet?: string;
}

const KINDS: Record<LinkKind, { noun: string; issueType: LinkIssue }> = {
  anchor: { noun: 'link', issueType: 'broken-link' },
  area: { noun: 'image map link', issueType: 'broken-link' },
  form: { noun: 'form target', issueType: 'broken-form' },
  frame: { noun: 'frame', issueType: 'broken-frame' },
  refresh: { noun: 'automatic redirect', issueType: 'broken-link' },
  script: { noun: 'script', issueType: 'broken-script' },
  stylesheet: { noun: 'stylesheet', issueType: 'broken-stylesheet' },
  image: { noun: 'image', issueType: 'broken-image' },
  media: { noun: 'media file', issueType: 'broken-media' },
  embed: { noun: 'embedded content', issueType: 'broken-embed' },
  'css-resource': { noun: 'file of a style', issueType: 'broken-css-resource' },
  icon: { noun: 'icon', issueType: 'broken-icon' },
  manifest: { noun: 'manifest', issueType: 'broken-manifest' },
  preload: { noun: 'preloaded file', issueType: 'broken-preload' },
  relation: { noun: 'related address', issueType: 'broken-relation' },
  citation: { noun: 'source of a quotation', issueType: 'broken-citation' },
  meta: { noun: 'address for previews', issueType: 'broken-preview' },
};

const MAX_QUOTE_CHARS = 80;

const FAILURES: Record<string, string> = {
  dns: 'its host name does not exist',
  connect: 'its server does not accept connections',
  tls: 'no secure connection can be made with its server',
  reset: 'its server closes the connection before the answer is complete',
  protocol: 'its server does not answer in valid HTTP',
  'invalid-url': 'its address is not valid',
};

/** `isHostDown` says that the host of the address has answered nothing; its faults have one cause. */
export function findingOf({ link, fault, count, stylesheet }: FaultyLink, isHostDown = false): DraftFinding {
  const { noun, issueType } = KINDS[link.kind];
  const account = accounts[fault.type](fault, link);
  const where = stylesheet ? ` It is named in the stylesheet ${stylesheet}.` : '';
  const often = count > 1 ? ` The page names it ${count} times.` : '';
  return {
    title: `${account.title}: ${noun}${link.text ? ` “${shorten(link.text, MAX_QUOTE_CHARS)}”` : ''}`,
    description: `The ${noun} ${link.url} ${account.sentence}.${journey(fault)}${where}${often}`,
    severity: severityOf(account.severity ?? linkRules[issueType].severity, link, fault),
    issueType: account.issueType ?? issueType,
    errorType: account.errorType,
    ...(fault.status !== undefined && fault.type !== 'fragment' && { statusCode: fault.status }),
    url: link.url,
    targetText: link.text,
    occurrence: link.occurrence,
    htmlSelector: link.selector,
    htmlSnippet: link.snippet,
    findingType: link.text ? 'text' : 'page',
    confidence: confidenceOf(fault),
    suggestion: account.suggestion,
    ...causeOf(link, fault, isHostDown),
  };
}

/** The cause, where it is not the address: a host that is down, or a place that a template of the site names. */
function causeOf(link: PageLink, fault: Fault, isHostDown: boolean): Pick<DraftFinding, 'cause'> {
  if (isHostDown && isHostFault(fault)) return { cause: `host ${new URL(fault.finalUrl).host}` };
  const href = link.rawHref.trim();
  return fault.type === 'fragment' && href.startsWith('#') ? { cause: `fragment ${href} ${link.text}` } : {};
}

/** A host outside that cannot be reached may be down for a moment, or only from here. */
function severityOf(severity: Severity, link: PageLink, fault: Fault): Severity {
  const isUnreachable = fault.type === 'timeout' || fault.type === 'network';
  return isUnreachable && !link.internal && severity === 'high' ? 'medium' : severity;
}

/** Falls with the doubt whether readers meet the fault too. */
function confidenceOf({ type, failure, status = 0, certain }: Fault): number {
  if (type === 'timeout' || certain === false) return 60;
  if (type === 'network') return failure === 'dns' ? 90 : 80;
  if (type === 'rate-limited') return 60;
  if (type === 'auth') return status === 403 ? 70 : 90;
  if (type !== 'http') return 100;
  if (status >= 500) return 80;
  return status === 404 || status === 410 ? 100 : 90;
}

interface Account {
  title: string;
  sentence: string;
  suggestion: string;
  errorType: NonNullable<DraftFinding['errorType']>;
  issueType?: LinkIssue;
  severity?: Severity;
}

const accounts: Record<Fault['type'], (fault: Fault, link: PageLink) => Account> = {
  'invalid-url': (_fault, link) => ({
    title: 'Invalid address',
    sentence: `is not a valid address; in the page it reads “${shorten(link.rawHref, MAX_QUOTE_CHARS)}”`,
    suggestion: 'Correct the spelling of the address.',
    errorType: 'unknown',
    issueType: 'invalid-url',
  }),
  http: ({ status = 0 }) => ({
    title: `Broken (HTTP ${status})`,
    sentence:
      status >= 300 && status < 400
        ? `redirects with HTTP ${status} to nowhere`
        : `answers with HTTP ${status}`,
    suggestion:
      status >= 500
        ? 'Mend the page at this address or link elsewhere.'
        : 'Correct the address or remove it.',
    errorType: 'http_error',
  }),
  auth: ({ status = 0, finalUrl }) => ({
    title: 'Behind a login',
    sentence:
      status < 400 ? `leads readers who are not signed in to ${finalUrl}` : `answers with HTTP ${status}`,
    suggestion: 'Check that the readers of this page can sign in there, or link to something public.',
    errorType: 'auth_required',
    ...linkIssue('auth-required'),
  }),
  'rate-limited': () => ({
    title: 'Refused for too many requests',
    sentence: 'goes on answering with HTTP 429, also after waiting',
    suggestion: 'Open the address by hand to see whether it works for readers.',
    errorType: 'http_error',
    ...linkIssue('rate-limited'),
  }),
  timeout: ({ presumed }) => ({
    title: 'No answer',
    sentence: presumed
      ? 'lies on a server that answered none of the many addresses asked before it'
      : 'did not answer in time',
    suggestion: 'Correct the address, or see why its server does not answer.',
    errorType: 'timeout',
  }),
  network: ({ failure = '' }) => ({
    title: 'Unreachable',
    sentence: `cannot be reached: ${FAILURES[failure] ?? 'the exchange failed'}`,
    suggestion: 'Correct the address, or see why its server cannot be reached.',
    errorType: 'network_error',
  }),
  'redirect-loop': () => ({
    title: 'Redirects in a circle',
    sentence: 'redirects in a circle',
    suggestion: 'Mend the redirects, or link straight to the page that is meant.',
    errorType: 'http_error',
    issueType: 'redirect-loop',
  }),
  'too-many-redirects': ({ redirects }) => ({
    title: 'Redirects too often',
    sentence: `redirects ${redirects.length} times, more than browsers follow`,
    suggestion: 'Link straight to the page that is meant.',
    errorType: 'http_error',
    issueType: 'too-many-redirects',
  }),
  'bad-redirect': () => ({
    title: 'Redirects to an invalid address',
    sentence: 'redirects to what is no valid address',
    suggestion: 'Mend the redirect, or link straight to the page that is meant.',
    errorType: 'http_error',
    issueType: 'bad-redirect',
  }),
  fragment: ({ certain }) => ({
    title: 'Missing place on the page',
    sentence: `leads to a page that has no such place${certain === false ? ', unless a script adds it' : ''}`,
    suggestion: 'Correct the part after #, or give its target that id.',
    errorType: 'unknown',
    ...linkIssue('broken-fragment'),
  }),
};

function journey({ redirects, finalUrl, type }: Fault): string {
  if (redirects.length === 0 || type === 'auth') return '';
  const shown = redirects.slice(0, 5).map(({ url, status }) => `${url} (${status})`);
  const more = redirects.length > shown.length ? ' → …' : '';
  return ` Its redirects: ${shown.join(' → ')}${more} → ${finalUrl}.`;
}
