import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { string, url } from 'css-tree/utils';

export interface CssUrl {
  url: string;
  kind: 'stylesheet' | 'css-resource';
}

/**
 * Addresses that a stylesheet or a `style` attribute loads. Reads tokens instead of a parsed sheet, so that custom
 * properties and broken rules count as well.
 */
export function cssUrls(css: string): CssUrl[] {
  if (!/url\(|@import|image-set\(|\\/i.test(css)) return [];
  const found: CssUrl[] = [];
  const open: string[] = [];
  let atRule = '';
  const keep = (address: string) => {
    const trimmed = address.trim();
    // A namespace is no address, and a bare fragment points into the document.
    if (!trimmed || trimmed.startsWith('#') || atRule === '@namespace') return;
    found.push({ url: trimmed, kind: atRule === '@import' ? 'stylesheet' : 'css-resource' });
  };
  tokenize(css, (type, start, end) => {
    const text = () => css.slice(start, end);
    if (type === tokenTypes.AtKeyword) atRule = text().toLowerCase();
    else if (type === tokenTypes.Semicolon || type === tokenTypes.LeftCurlyBracket) atRule = '';
    else if (type === tokenTypes.Url) keep(url.decode(text()));
    else if (type === tokenTypes.Function)
      open.push(
        text()
          .toLowerCase()
          .replace(/^-webkit-/, ''),
      );
    else if (type === tokenTypes.LeftParenthesis) open.push('(');
    else if (type === tokenTypes.RightParenthesis) open.pop();
    else if (type === tokenTypes.String) {
      const inside = open.at(-1);
      const isAddress =
        inside === 'url(' ||
        inside === 'src(' ||
        inside === 'image-set(' ||
        (atRule === '@import' && !inside);
      if (isAddress) keep(string.decode(text()));
    }
  });
  return found;
}
