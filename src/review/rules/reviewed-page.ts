import type { PageWords } from '../../lib/page-words/page-words.ts';
import type { HtmlPage } from './html-page.ts';

/** A page as rules read it. */
export interface ReviewedPage {
  /** Address of the page after redirects. */
  url: string;
  words: PageWords;
  html: HtmlPage;
}
