const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * The fault of a value of `hreflang`, as a clause that follows "The value …": it takes a language of ISO 639 with
 * an optional script and region (BCP 47), or `x-default`. Undefined if it is valid.
 */
export function codeFault(code: string): string | undefined {
  if (/^x-default$/i.test(code)) return undefined;
  if (code === '') return 'is empty';
  if (code.includes('_')) return `has an underscore; it is written ${code.replaceAll('_', '-')}`;
  if (code === '*' || !isWellFormed(code)) return 'is no language tag';
  const { language, region } = new Intl.Locale(code);
  if (languages.of(language) === undefined) return `names no language: ${language}`;
  const written = /^[a-z]{2,8}(?:-[a-z]{4})?-([a-z]{2}|\d{3})(?:-|$)/i.exec(code)?.[1];
  // `Intl.Locale` replaces codes that were reserved or withdrawn, such as UK, which search engines do not know.
  if (written && region && written.toUpperCase() !== region)
    return `has the region ${written}, whose code is ${region}`;
  if (region && regions.of(region) === undefined) return `names no region: ${region}`;
  return undefined;
}

function isWellFormed(code: string): boolean {
  try {
    return new Intl.Locale(code).language !== undefined;
  } catch {
    return false;
  }
}
