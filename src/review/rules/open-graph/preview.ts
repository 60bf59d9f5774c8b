import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { attributeOf, type Element, type HtmlPage } from '../html-page.ts';
import type { ImageSize } from './image-size.ts';
import { type PreviewIssue, previewRules } from './preview-rules.ts';

/** Outcome of fetching a picture. */
export type FetchedImage =
  | { problem: string }
  | { status: number; mimeType: string; size: ImageSize | undefined; finalUrl: string };

export interface PreviewTags {
  /** The tags in the order of the page. */
  all: readonly { name: string; content: string; element: Element }[];
}

export const previewTagsOf = ({ elements }: HtmlPage): PreviewTags => ({
  all: elements.flatMap((element) => {
    if (element.tagName !== 'meta') return [];
    const name = (attributeOf(element, 'property') ?? attributeOf(element, 'name') ?? '')
      .trim()
      .toLowerCase();
    if (!/^(og|twitter|article):/.test(name)) return [];
    return [{ name, content: (attributeOf(element, 'content') ?? '').trim(), element }];
  }),
});

/** The cause of all findings about a missing picture, alone or with the other tags. */
export const MISSING_PICTURE = 'open-graph og-image-missing';

/** True if the page has one of the tags that every preview needs, even an empty one. */
export const hasRequiredTag = ({ tags }: Preview): boolean =>
  tags.all.some(({ name }) => /^og:(image(:url)?|title|description|url|type)$/.test(name));

/** Addresses of preview pictures that can be fetched. */
export const imageUrlsOf = ({ all }: PreviewTags, pageUrl: string): string[] =>
  [
    ...new Set(
      all
        .filter(({ name, content }) => IMAGE.test(name) && content !== '')
        .map(({ content }) => URL.parse(content, pageUrl)?.href)
        .filter((url) => url !== undefined && /^https?:/.test(url)),
    ),
  ] as string[];

const IMAGE = /^(og:image(:url|:secure_url)?|twitter:image(:src)?)$/;

/** The preview tags of a page, and the findings about them. */
export interface Preview {
  html: HtmlPage;
  pageUrl: string;
  tags: PreviewTags;
  /** Pictures by absolute address. */
  images: ReadonlyMap<string, FetchedImage>;
  findings: readonly DraftFinding[];
  /** Content of a tag; undefined if it is missing or empty. */
  filled(name: string): string | undefined;
  report(
    issueType: PreviewIssue,
    description: string,
    suggestion: string,
    element?: Element,
    /** Cause, if it is not the kind of fault alone: the address concerned, for example. */
    cause?: string,
  ): void;
}

export function createPreview(
  html: HtmlPage,
  pageUrl: string,
  images: ReadonlyMap<string, FetchedImage>,
): Preview {
  const tags = previewTagsOf(html);
  const findings: DraftFinding[] = [];
  return {
    ...{ html, pageUrl, tags, images, findings },
    filled: (name) => tags.all.find((tag) => tag.name === name && tag.content !== '')?.content,
    report(issueType, description, suggestion, element, cause = `open-graph ${issueType}`) {
      const { title, severity } = previewRules[issueType];
      findings.push({
        ...{ title, description, severity, issueType, suggestion, cause },
        confidence: 95,
        isPageLevel: true,
        findingType: 'page',
        htmlSelector: element ? html.selectorOf(element) : '',
      });
    },
  };
}
