/** Rules about what an element says or shows: each picture without a text is a fault of its own. */
const ABOUT_CONTENT = /(?:-alt|-name|-title)$|^label/;

/**
 * Describes an element so that the same component of a site's template is described alike on all of its pages, whatever
 * its place and the numbers in its names.
 */
export function elementSignature(
  issueType: string,
  selector: string,
  snippet: string,
  pageUrl: string,
): string {
  const tag = /^\s*<([a-z][\w:-]*)/i.exec(snippet)?.[1]?.toLowerCase();
  if (tag === undefined) return withoutNumbers(lastStepOf(selector));
  const attributes = attributesOf(snippet);
  const classes = (attributes.get('class') ?? '').split(/\s+/).filter(Boolean).map(withoutNumbers).sort();
  const parts = [tag, ...new Set(classes), attributes.get('role') ?? '', attributes.get('type') ?? ''];
  if (ABOUT_CONTENT.test(issueType)) {
    const address = attributes.get('src') ?? attributes.get('href') ?? attributes.get('action');
    parts.push(
      address === undefined ? '' : (URL.parse(address, pageUrl)?.href ?? address),
      attributes.get('name') ?? '',
      withoutNumbers(attributes.get('id') ?? ''),
    );
  }
  return parts.join(' ');
}

/** The attributes of the first tag of a snippet. */
function attributesOf(snippet: string): Map<string, string> {
  const tag = /^\s*<[^>]*>?/.exec(snippet)?.[0] ?? '';
  const found = tag.matchAll(/\s([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g);
  return new Map(
    Array.from(found, ([, name, ...values]) => [name!.toLowerCase(), values.find(Boolean) ?? '']),
  );
}

/** The last compound of a selector: the element itself, without its ancestors and its place among its siblings. */
const lastStepOf = (selector: string): string =>
  (selector.split(/\s*[>+~]\s*|\s+/).at(-1) ?? '').replace(
    /:nth-[\w-]+\([^)]*\)|:(?:first|last)-[\w-]+/g,
    '',
  );

const withoutNumbers = (name: string): string => name.replace(/\d+/g, '');
