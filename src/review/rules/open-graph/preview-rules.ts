import type { RuleEntry } from '../../../shapes/agents/rule.ts';

/** The name of a tag as issue types have it: `og:image:alt` becomes `og-image-alt`. */
export type Dashed<Name extends string> = Name extends `${infer Head}:${infer Tail}`
  ? `${Head}-${Dashed<Tail>}`
  : Name;

export const dashed = <Name extends string>(name: Name): Dashed<Name> =>
  name.replaceAll(':', '-') as Dashed<Name>;

const missing = (name: string, severity: RuleEntry['severity']): RuleEntry => ({
  title: `No ${name}`,
  help: `The page has no tag ${name}, so that services decide themselves what a preview of a link to it shows. Add the tag.`,
  severity,
});
const empty = (name: string, severity: RuleEntry['severity']): RuleEntry => ({
  title: `Empty ${name}`,
  help: `The tag ${name} has no content. Fill it in.`,
  severity,
});
const emptyTwitter = (name: string): RuleEntry => ({
  title: `Empty ${name}`,
  help: `The tag ${name} has no content. Fill it in, or leave it out; the Open Graph tags then serve in its place.`,
  severity: 'low',
});
const doubled = (name: string): RuleEntry => ({
  title: `Doubled ${name}`,
  help: `The page has the tag ${name} more than once, and services take either. Leave one of the tags out.`,
  severity: 'low',
});

/** The issue types of the rules about previews of links to a page. */
export const previewRules = {
  'og-tags-missing': {
    title: 'No Open Graph tags',
    help: 'The page has none of the tags that previews need, so that services choose the title and the picture of a link to it themselves. Add og:image, og:title, og:description, og:url and og:type.',
    severity: 'medium',
  },
  'og-image-missing': {
    title: 'No og:image',
    help: 'The page names no picture for previews of links to it. Name one of 1200 by 630 pixels in og:image.',
    severity: 'medium',
  },
  'og-image-empty': {
    title: 'Empty og:image',
    help: 'The tag og:image names no picture. Put the absolute address of a picture of 1200 by 630 pixels into it.',
    severity: 'high',
  },
  'og-image-duplicate': {
    title: 'Doubled og:image',
    help: 'The page names the same picture twice. Leave one of the tags out.',
    severity: 'low',
  },
  'og-image-relative': {
    title: 'Relative address of og:image',
    help: 'The address of og:image is not absolute, and most services cannot follow it. Write the whole address.',
    severity: 'high',
  },
  'og-image-invalid': {
    title: 'Invalid address of og:image',
    help: 'The address of og:image cannot be asked for. Put the absolute address of a picture into it.',
    severity: 'high',
  },
  'og-image-insecure': {
    title: 'og:image without https',
    help: 'The address of og:image does not use https, and some services then show no picture. Use https.',
    severity: 'medium',
  },
  'og-image-alt': {
    title: 'og:image without a description',
    help: 'Nothing says what the picture of og:image shows to those who cannot see it. Add og:image:alt.',
    severity: 'low',
  },
  'og-image-unreachable': {
    title: 'og:image cannot be reached',
    help: 'The picture of og:image cannot be fetched. Correct the address, or put the picture there.',
    severity: 'high',
  },
  'og-image-not-an-image': {
    title: 'og:image is no picture',
    help: 'The address of og:image answers with something other than a picture. Correct the address, or put the picture there.',
    severity: 'high',
  },
  'og-image-format': {
    title: 'og:image in a format that is not shown',
    help: 'Services that show previews do not show SVG. Use a JPEG or PNG of 1200 by 630 pixels.',
    severity: 'medium',
  },
  'og-image-size': {
    title: 'Small og:image',
    help: 'The picture of og:image is too small for a wide preview. Use a picture of 1200 by 630 pixels.',
    severity: 'medium',
  },
  'og-image-ratio': {
    title: 'og:image of another shape',
    help: 'Previews are 1.91 times as wide as high and cut off the rest of the picture. Use a picture of 1200 by 630 pixels.',
    severity: 'low',
  },
  'og-image-declared-size': {
    title: 'Wrong size declared for og:image',
    help: 'The tags og:image:width and og:image:height contradict the picture. Correct or remove them.',
    severity: 'low',
  },
  'twitter-image-relative': {
    title: 'Relative address of twitter:image',
    help: 'The address of twitter:image is not absolute. Write the whole address.',
    severity: 'medium',
  },
  'twitter-image-unreachable': {
    title: 'twitter:image cannot be shown',
    help: 'The picture of twitter:image cannot be fetched, or is no picture. Correct the address.',
    severity: 'medium',
  },
  'og-title-missing': missing('og:title', 'medium'),
  'og-title-empty': empty('og:title', 'medium'),
  'og-description-missing': missing('og:description', 'medium'),
  'og-description-empty': empty('og:description', 'medium'),
  'og-url-missing': missing('og:url', 'low'),
  'og-url-empty': empty('og:url', 'low'),
  'og-type-missing': missing('og:type', 'low'),
  'og-type-empty': empty('og:type', 'low'),
  'og-url-relative': {
    title: 'Relative og:url',
    help: 'The address of og:url is not absolute. Write the whole address of the page.',
    severity: 'medium',
  },
  'og-url-mismatch': {
    title: 'og:url of another page',
    help: 'The tag og:url names another page, to which services then count what is shared of this one. Name the address of this page.',
    severity: 'medium',
  },
  'twitter-card-invalid': {
    title: 'Invalid twitter:card',
    help: 'The value of twitter:card is none that there is. Use summary or summary_large_image.',
    severity: 'medium',
  },
  'og-type-invalid': {
    title: 'Invalid og:type',
    help: 'The value of og:type is none that there is. Use website or article.',
    severity: 'low',
  },
  'og-title-duplicate': doubled('og:title'),
  'og-description-duplicate': doubled('og:description'),
  'og-url-duplicate': doubled('og:url'),
  'og-type-duplicate': doubled('og:type'),
  'og-site_name-duplicate': doubled('og:site_name'),
  'twitter-card-duplicate': doubled('twitter:card'),
  'twitter-title-duplicate': doubled('twitter:title'),
  'twitter-description-duplicate': doubled('twitter:description'),
  'twitter-image-duplicate': doubled('twitter:image'),
  'twitter-title-empty': emptyTwitter('twitter:title'),
  'twitter-description-empty': emptyTwitter('twitter:description'),
  'twitter-image-empty': emptyTwitter('twitter:image'),
  'twitter-site-empty': emptyTwitter('twitter:site'),
  'twitter-creator-empty': emptyTwitter('twitter:creator'),
  'twitter-image-alt-empty': emptyTwitter('twitter:image:alt'),
} satisfies Record<string, RuleEntry>;

export type PreviewIssue = keyof typeof previewRules;
