const URL_IN_TEXT = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi;

/** A URL for the log: without user, query and fragment, which may contain secrets. */
export function withoutQuery(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}

/** A text in which `withoutQuery` is applied to each URL. Punctuation at the end of a sentence is not part of a URL. */
export const withoutQueries = (text: string): string =>
  text.replace(URL_IN_TEXT, (found) => {
    const url = found.replace(/[.,:;)\]]+$/, '');
    return withoutQuery(url) + found.slice(url.length);
  });
