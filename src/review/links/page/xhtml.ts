const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

const TOKEN = /<!--|<!\[CDATA\[|<([a-z][^\s/<>]*)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/>/gi;

/** Rewrites XHTML so that an HTML parser reads it alike: HTML lets only void elements close themselves. */
export function xhtmlToHtml(xhtml: string): string {
  let html = '';
  let done = 0;
  const token = new RegExp(TOKEN);
  for (let found = token.exec(xhtml); found; found = token.exec(xhtml)) {
    const [whole, tag, attributes] = found;
    if (tag !== undefined) {
      if (VOID.has(tag.toLowerCase())) continue;
      html += `${xhtml.slice(done, found.index)}<${tag}${attributes}></${tag}>`;
      done = token.lastIndex;
      continue;
    }
    const isComment = whole === '<!--';
    const end = xhtml.indexOf(isComment ? '-->' : ']]>', token.lastIndex);
    if (end === -1) break;
    if (!isComment) {
      html += xhtml.slice(done, found.index) + escapeText(xhtml.slice(token.lastIndex, end));
      done = end + 3;
    }
    token.lastIndex = end + 3;
  }
  return html + xhtml.slice(done);
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
