import type { DraftFinding, Severity } from '../../../shapes/agents/execution.ts';
import { attributeOf, type Element, type HtmlPage } from '../html-page.ts';
import type { ImageSize } from './image-size.ts';

/** What came back when a picture was asked for. */
export type FetchedImage =
  | { problem: string }
  | { status: number; mimeType: string; size: ImageSize | undefined; finalUrl: string };

export interface PreviewTags {
  /** Content by property, in the order of the page. */
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

/** The addresses of preview pictures that can be asked for. */
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

/** A page's tags for previews, and where the faults in them are noted. */
export interface Preview {
  html: HtmlPage;
  pageUrl: string;
  tags: PreviewTags;
  /** By absolute address. */
  images: ReadonlyMap<string, FetchedImage>;
  findings: readonly DraftFinding[];
  /** What a tag says; undefined where it is missing or empty. */
  filled(name: string): string | undefined;
  report(
    issueType: string,
    severity: Severity,
    title: string,
    description: string,
    suggestion: string,
    element?: Element,
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
    report(issueType, severity, title, description, suggestion, element) {
      findings.push({
        ...{ title, description, severity, issueType, suggestion },
        confidence: 95,
        isPageLevel: true,
        findingType: 'page',
        htmlSelector: element ? html.selectorOf(element) : '',
      });
    },
  };
}
