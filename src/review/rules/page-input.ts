import type { PageWords } from '../gather/reading/page-words.ts';
import type { HtmlPage } from './html-page.ts';

/** What rules look at of a page. */
export interface ReviewedPage {
  /** Where the page ended up. */
  url: string;
  words: PageWords;
  html: HtmlPage;
}
