import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { mergeViews } from '../gather/reading/merge-views.ts';
import { type PageHtml, webPageHtml } from '../gather/web-page-html.ts';
import { type PageText, webPageText } from '../gather/web-page-text.ts';
import type { ReviewedPage } from '../rules/reviewed-page.ts';

/** The strategies whose data `loadReviewedPage` reads. */
export const READ_BY_RULES: readonly string[] = [webPageText.name, webPageHtml.name];

/** Data of a gather strategy; undefined if the agent did not ask for it. Throws if it failed. */
export function gatheredData<Data>(name: string, task: PageTask): Data | undefined {
  const gathered = task.gathered.find((one) => one.name === name);
  if (gathered?.error !== undefined) throw new Error(gathered.error);
  return gathered?.data as Data | undefined;
}

/** The page as rules read it: from the gather phase, or loaded anew if the agent did not gather all of it. */
export async function loadReviewedPage(task: PageTask, context: PageContext): Promise<ReviewedPage> {
  const text = gatheredData<PageText>(webPageText.name, task);
  const html = gatheredData<PageHtml>(webPageHtml.name, task);
  const page = text && html ? { text, html } : await readPage(task, context);
  const { readHtml } = await import('../rules/html-page.ts');
  return { url: page.text.url, words: page.text.words, html: readHtml(page.html.source) };
}

function readPage({ url, deviceType }: PageTask, { browser, signal, screener }: PageContext) {
  const textOptions = webPageText.options.parse({});
  const htmlOptions = webPageHtml.options.parse({});
  const views = [webPageText.view(textOptions, deviceType), webPageHtml.view(htmlOptions, deviceType)];
  return browser.withPage(url, mergeViews(views)!, { signal }, async (loaded) => {
    const input = { url, deviceType, page: loaded.page, loaded, signal };
    const text = await webPageText.gather({ ...input, options: textOptions });
    const html = await webPageHtml.gather({ ...input, options: htmlOptions });
    return screener.clean({ text, html });
  });
}

/** Number of findings of each type. */
export function countByType(findings: readonly { issueType: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { issueType } of findings) counts[issueType] = (counts[issueType] ?? 0) + 1;
  return counts;
}
