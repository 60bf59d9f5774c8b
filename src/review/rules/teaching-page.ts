import type { PageWords } from '../../lib/page-words/page-words.ts';
import { attributeOf, type HtmlPage } from './html-page.ts';
import { DOCUMENT_TITLE, isMarked, type Passage } from './passages.ts';

const GENERATOR =
  /docutils|sphinx|docbook|doxygen|mkdocs|docusaurus|javadoc|texinfo|makeinfo|mdbook|asciidoc|asciidoctor|gitbook|vuepress|vitepress|antora|publican|rustdoc|typedoc|jsdoc|readthedocs|groff|man2html|pod2html|hevea|latex2html|gtk-doc|yelp|debiandoc/i;
const STYLESHEET =
  /\b(pygments|docbook|sphinx\w*|doxygen|pydoctheme|readthedocs|asciidoctor|rustdoc|manual|docs?)[\w.-]*\.css\b/i;
const CLASSES =
  /\b(sect1|refentry|refentrytitle|docbook|programlisting|rst-content|md-typeset|theme-doc-markdown|sphinxsidebar|contents_of|doxygen|texi2any|man-decoration)\b/;
const TITLE =
  /\b(documentation|docs|manual|reference|tutorial|how[- ]?to|guide|handbook|readme|man ?pages?|api|cookbook|getting started|quick ?start|install\w*|configur\w+|release notes|what.s new|changelog|faq|troubleshooting|syntax|function|command|module|library|package|programming|debugging|developer|chapter|appendix|§|kapitel|handbuch|anleitung|manuel|manuale)\b|\(\d\)/i;
const PATH =
  /\/(docs?|documentation|manual|reference|api|tutorials?|guides?|howto|wiki|man\d?|handbook|help|kb|faq)(\/|\b)/i;

const known = new WeakMap<HtmlPage, boolean>();

/**
 * True for a page that teaches about software, such as a manual or a tutorial: its samples, addresses and variables are
 * what it is about. Several signs have to agree, because a shop may show a line of code too.
 */
export function isTeaching(
  url: string,
  words: PageWords,
  html: HtmlPage,
  passages: readonly Passage[],
): boolean {
  const answer = known.get(html);
  if (answer !== undefined) return answer;
  const isSo = signsOf(url, words, html, passages) >= 2;
  known.set(html, isSo);
  return isSo;
}

function signsOf(url: string, words: PageWords, html: HtmlPage, passages: readonly Passage[]): number {
  const code = passages.filter((passage) => isMarked(passage, 0, 'code'));
  const codeChars = code.reduce((sum, { text }) => sum + text.length, 0);
  const inline = words.runs.filter(({ marks }) => marks.includes('code')).length;
  const share = codeChars / Math.max(1, words.text.length);
  const titles = [
    ...words.labels.filter(({ attribute }) => attribute === DOCUMENT_TITLE).map(({ text }) => text),
    ...passages
      .filter((one) => isMarked(one, 0, 'heading'))
      .slice(0, 1)
      .map(({ text }) => text),
  ];
  let signs = 0;
  if (isGenerated(html)) signs += 2;
  if (code.length >= 3 || inline >= 5 || share > 0.05) signs += 1;
  if (code.length >= 10 || inline >= 25) signs += 1;
  if (hasOptionTable(passages)) signs += 2;
  if (titles.some((title) => TITLE.test(title))) signs += 1;
  if (PATH.test(URL.parse(url)?.pathname ?? '')) signs += 1;
  return signs;
}

/** True for a table that documents options, by the headings of its columns. */
function hasOptionTable(passages: readonly Passage[]): boolean {
  const heads = passages
    .filter((one) => one.text.length < 20 && isMarked(one, 0, 'heading'))
    .map(({ text }) => text.trim());
  const has = (pattern: RegExp) => heads.some((head) => pattern.test(head));
  return (
    has(/^(options?|parameters?|arguments?|propert(y|ies)|attributes?)$/i) &&
    has(/^(default( value)?|type)$/i)
  );
}

/** True if the tools that made the page make documentation. */
const isGenerated = ({ elements }: HtmlPage): boolean =>
  elements.some((element) => {
    const value = (name: string) => attributeOf(element, name) ?? '';
    if (element.tagName === 'meta')
      return value('name').toLowerCase() === 'generator' && GENERATOR.test(value('content'));
    if (element.tagName === 'link') return value('rel') === 'stylesheet' && STYLESHEET.test(value('href'));
    if (element.tagName === 'script') return /documentation_options\.js|doctools\.js/.test(value('src'));
    return CLASSES.test(value('class'));
  });
