/** Finished HTML. All other text is escaped where it is inserted. */
export interface Markup {
  readonly markup: string;
}

export type Insertable = Markup | string | number | false | undefined | readonly Insertable[];

/** Text of a page can reorder or hide what surrounds it by such characters. */
const INVISIBLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** The text as HTML, safe in an element and in a quoted attribute. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(INVISIBLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const written = (value: Insertable): string => {
  if (value === false || value === undefined) return '';
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  if ('markup' in value) return value.markup;
  return value.map(written).join('');
};

/** HTML with insertions: texts are escaped, lists are joined, and `false` and `undefined` are left out. */
export const html = (parts: TemplateStringsArray, ...insertions: Insertable[]): Markup => ({
  markup: parts.reduce((before, part, at) => before + written(insertions[at - 1]) + part),
});

/** HTML of this folder, such as the style sheet, which is inserted as it is. */
export const trusted = (markup: string): Markup => ({ markup });

/** The address that a link may lead to: of the web, and in the form in which browsers read it. */
export function linkable(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** A link that opens in another tab, or only its text if the address is not one of the web. */
export const externalLink = (address: string, text: Insertable): Markup => {
  const href = linkable(address);
  return href === undefined
    ? html`${text}`
    : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;
};
