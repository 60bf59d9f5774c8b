/** The addresses of a `srcset`, read as HTML prescribes: commas inside an address belong to it. */
export function srcsetUrls(value: string): string[] {
  const urls: string[] = [];
  let at = 0;
  while (at < value.length) {
    while (at < value.length && /[\s,]/.test(value[at]!)) at++;
    const start = at;
    while (at < value.length && !/\s/.test(value[at]!)) at++;
    const word = value.slice(start, at);
    const url = word.replace(/,+$/, '');
    if (url) urls.push(url);
    if (url.length === word.length) at = afterDescriptors(value, at);
  }
  return urls;
}

/** A descriptor may hold commas in parentheses, which do not end the candidate. */
function afterDescriptors(value: string, from: number): number {
  let depth = 0;
  for (let at = from; at < value.length; at++) {
    const char = value[at];
    if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (char === ',' && depth === 0) return at + 1;
  }
  return value.length;
}
