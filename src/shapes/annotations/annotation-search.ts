import { z } from 'zod';
import { severity } from './comment.ts';

/** One value, or a list of alternatives; parsed to a list. */
const oneOrMore = <T extends z.ZodType<string>>(value: T) =>
  z.union([value.transform((one) => [one]), z.array(value).min(1).max(30)]).optional();

const page = z
  .string()
  .max(10_000)
  .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), { error: 'must be the URL of a page' });

/** Filters of lists and counts by what an annotation is about. All that are sent must match. */
export const annotationSearch = {
  pageUrl: page
    .optional()
    .describe(
      'URL of the page that an agent reviewed or a person commented on. Its fragment is ignored, and so are the case of the host, a default port and a missing slash after the host.',
    ),
  pageUrls: z.array(page).min(1).max(30).optional().describe('Alternative to pageUrl.'),
  suggestionStatus: oneOrMore(z.enum(['pending', 'accepted', 'rejected'])).describe(
    'One or several. Leaves out all but suggestions.',
  ),
  severity: oneOrMore(severity).describe('One or several. Leaves out all but what agents wrote.'),
  issueType: oneOrMore(z.string().min(1).max(1_000)).describe(
    'One or several kinds of findings. Leaves out all but what agents wrote.',
  ),
  text: z
    .string()
    .max(200)
    .regex(/[\p{L}\p{N}]/u, { error: 'must contain a letter or digit' })
    .optional()
    .describe(
      'Beginnings of words, which must all be in one comment, or in the suggestion and the title of its finding. Case and punctuation are ignored. The first 20,000 characters of a text are searched.',
    ),
};

interface AnnotationSearch {
  pageUrl?: string | undefined;
  pageUrls?: string[] | undefined;
  text?: string | undefined;
}

/** True unless both names of the page filter are sent. */
export const namesPagesOnce = ({ pageUrl, pageUrls }: AnnotationSearch): boolean =>
  pageUrl === undefined || pageUrls === undefined;

/** The filters as the store takes them. */
export const storedSearch = <Search extends AnnotationSearch>(
  { pageUrl, pageUrls, text, ...others }: Search,
  scope: { apiKeyId: string; organizationId: string; documentIds?: readonly string[] | undefined },
) => ({
  ...others,
  pageUrls: pageUrl === undefined ? pageUrls : [pageUrl],
  text: text === undefined ? undefined : { ...scope, text },
});
