const URL_IN_TEXT = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi;

/** An address as it may stand in a log: without its user, query and fragment, which may hold secrets. */
export function withoutQuery(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}

/** A text with each address in it cut like that; what ends a sentence is no part of a query. */
export const withoutQueries = (text: string): string =>
  text.replace(URL_IN_TEXT, (found) => {
    const url = found.replace(/[.,:;)\]]+$/, '');
    return withoutQuery(url) + found.slice(url.length);
  });
