import type { RuleEntry } from '../../shapes/agents/rule.ts';

const OUTSIDE = {
  severity: 'medium',
  when: 'The address is on another host, which cannot be reached or does not answer in time.',
} as const;
const BY_USE = [
  {
    severity: 'medium',
    when: 'The address is that of an image, a media file, embedded content or a file of a style.',
  },
  {
    severity: 'low',
    when: 'The address is that of an icon, a manifest, a preload, a preview or a relation.',
  },
] as const;
const byUse = { severity: 'high', otherwise: BY_USE } as const;

const broken = (noun: string, severity: RuleEntry['severity'], effect: string): RuleEntry => ({
  title: `Broken ${noun}`,
  help: `The address of ${effect} Correct the address, mend what is there, or remove it.`,
  severity,
  ...(severity === 'high' && { otherwise: [OUTSIDE] }),
});

/** The issue types of the rules about links and addresses. */
export const linkRules = {
  'broken-link': broken(
    'link',
    'high',
    'a link fails, so that readers who follow it do not get what it promises.',
  ),
  'broken-form': broken('form target', 'high', 'a form fails, so that what readers enter is lost.'),
  'broken-frame': broken('frame', 'high', 'a frame fails, so that a part of the page stays empty.'),
  'broken-script': broken('script', 'high', 'a script fails, so that parts of the page may not work.'),
  'broken-stylesheet': broken(
    'stylesheet',
    'high',
    'a stylesheet fails, so that the page looks other than it should.',
  ),
  'broken-image': broken('image', 'medium', 'an image fails, so that readers do not see it.'),
  'broken-media': broken(
    'media file',
    'medium',
    'an audio or video file fails, so that it cannot be played.',
  ),
  'broken-embed': broken(
    'embedded content',
    'medium',
    'embedded content fails, so that readers do not see it.',
  ),
  'broken-css-resource': broken(
    'file of a style',
    'medium',
    'a font or picture in a style fails, so that the page looks other than it should.',
  ),
  'broken-icon': broken('icon', 'low', 'an icon fails, so that browsers show a page without one.'),
  'broken-manifest': broken(
    'manifest',
    'low',
    'the web app manifest fails, so that browsers cannot install the site.',
  ),
  'broken-preload': broken(
    'preloaded file',
    'low',
    'a file to load in advance fails, which slows the page down.',
  ),
  'broken-relation': broken(
    'related address',
    'low',
    'a related page or feed fails, which programs and search engines use.',
  ),
  'broken-citation': broken('source of a quotation', 'low', 'the source of a quotation or a change fails.'),
  'broken-preview': broken(
    'address for previews',
    'low',
    'a preview of the page fails, which other services show.',
  ),
  'invalid-url': {
    title: 'Invalid address',
    help: 'The address is not a valid URL, so that no browser can follow it. Correct its spelling.',
    ...byUse,
  },
  'auth-required': {
    title: 'Behind a login',
    help: 'The address is refused to readers who are not signed in. Check that readers of the page can sign in there, or link to something public.',
    severity: 'low',
  },
  'rate-limited': {
    title: 'Refused for too many requests',
    help: 'The server goes on answering with HTTP 429, so that the address could not be judged. Open it by hand to see whether it works.',
    severity: 'low',
  },
  'redirect-loop': {
    title: 'Redirects in a circle',
    help: 'The address redirects to itself over other addresses, so that readers arrive nowhere. Mend the redirects, or link straight to the page that is meant.',
    ...byUse,
  },
  'too-many-redirects': {
    title: 'Redirects too often',
    help: 'The address redirects more often than browsers follow. Link straight to the page that is meant.',
    ...byUse,
  },
  'bad-redirect': {
    title: 'Redirects to an invalid address',
    help: 'The address redirects to something that is no valid address. Mend the redirect, or link straight to the page that is meant.',
    ...byUse,
  },
  'broken-fragment': {
    title: 'Missing place on the page',
    help: 'The part of the address after # names a place that its page does not have. Correct it, or give the target that id.',
    severity: 'low',
  },
  'soft-404': {
    title: 'Probably missing page',
    help: 'The address answers with success, but with the page that the site shows for addresses that do not exist. Correct the address, and let the site answer with HTTP 404 for absent pages.',
    severity: 'high',
  },
  'invalid-mail-address': {
    title: 'Invalid mail address',
    help: 'A mail link has an address to which no mail can be sent. Write it as mailto:name@example.com.',
    severity: 'medium',
  },
  'invalid-phone-number': {
    title: 'Invalid telephone number',
    help: 'A telephone link has a number that cannot be dialed. Write it as it is dialed from abroad, such as tel:+49301234567.',
    severity: 'medium',
  },
  'redirect-chain': {
    title: 'Chain of redirects',
    help: 'A link leads to its target over several redirects, each of which takes time. Link straight to the target.',
    severity: 'low',
  },
  'permanent-redirect': {
    title: 'Moved permanently',
    help: 'A link leads to an address that has moved for good. Link to the new address, since the redirect may go.',
    severity: 'low',
  },
  'canonical-contradiction': {
    title: 'Contradictory canonical address',
    help: 'The canonical address contradicts other statements of the page: another canonical address, noindex, or its languages. Search engines then decide for themselves. Keep one of the statements.',
    severity: 'medium',
    otherwise: [{ severity: 'low', when: 'The page itself has both a canonical address and noindex.' }],
    category: 'seo',
  },
  'canonical-host': {
    title: 'Canonical address on an internal host',
    help: 'The page calls an address on an internal network its own, which search engines cannot reach. Name the public address.',
    severity: 'high',
    category: 'seo',
  },
  'canonical-redirect': {
    title: 'Canonical address redirects',
    help: 'The canonical address redirects to another one. Name the address where it leads.',
    severity: 'low',
    category: 'seo',
  },
  'canonical-chain': {
    title: 'Canonical address names another one',
    help: 'The page at the canonical address has a canonical address of its own. Name the last one of them.',
    severity: 'medium',
    category: 'seo',
  },
  'canonical-other-host': {
    title: 'Canonical address on another host',
    help: 'The canonical address is on another host than those of nearly all pages of the site. Name the address on the usual host, unless the page is a copy.',
    severity: 'medium',
    category: 'seo',
  },
  'invalid-hreflang': {
    title: 'Invalid language code',
    help: 'The value of hreflang is no language code, so that search engines ignore the entry. Use a code such as de, pt-BR or x-default.',
    severity: 'medium',
    category: 'seo',
  },
  'hreflang-contradiction': {
    title: 'Language version with another canonical address',
    help: 'The page for another language calls a different address its own, so that search engines ignore the entry. Refer to that address, or correct it there.',
    severity: 'medium',
    category: 'seo',
  },
  'hreflang-no-return': {
    title: 'No return link from a language version',
    help: 'The page for another language does not refer back, so that search engines ignore the entry. Add the languages of this page there.',
    severity: 'low',
    category: 'seo',
  },
  'duplicate-title': {
    title: 'Same title on several pages',
    help: 'Several pages of the site have one title, which search engines and browser tabs show for all of them. Give each a title that sets it apart.',
    severity: 'low',
    category: 'seo',
  },
  'duplicate-description': {
    title: 'Same description on several pages',
    help: 'Several pages of the site have one description, which search engines show for all of them. Give each a description of its own, or none.',
    severity: 'low',
    category: 'seo',
  },
  'sitemap-broken': {
    title: 'Broken entry of the sitemap',
    help: 'The sitemap lists an address that answers with an error. Remove the entry, or restore the page.',
    severity: 'medium',
    category: 'seo',
  },
  'sitemap-orphan': {
    title: 'Page of the sitemap without a link to it',
    help: 'The sitemap lists a page to which no page of the site links. Link to it from where readers look for it, or remove it.',
    severity: 'low',
    category: 'seo',
  },
} satisfies Record<string, RuleEntry>;

export type LinkIssue = keyof typeof linkRules;

/** The issue type of a finding with its default severity. */
export const linkIssue = (issueType: LinkIssue) => ({
  issueType,
  severity: linkRules[issueType].severity,
});
