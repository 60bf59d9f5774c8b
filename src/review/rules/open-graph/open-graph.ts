import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import type { HtmlPage } from '../html-page.ts';
import { judgePictures } from './picture-faults.ts';
import { createPreview, type FetchedImage } from './preview.ts';
import { judgeNeeded, judgeRest, judgeUrl } from './tag-faults.ts';

/** Judges the tags that decide how a link to the page looks where it is shared. */
export function judgePreview(
  html: HtmlPage,
  pageUrl: string,
  images: ReadonlyMap<string, FetchedImage>,
): readonly DraftFinding[] {
  const preview = createPreview(html, pageUrl, images);
  for (const judge of [judgePictures, judgeNeeded, judgeUrl, judgeRest]) judge(preview);
  return preview.findings;
}
