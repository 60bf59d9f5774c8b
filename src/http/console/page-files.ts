import type { WebFiles } from './web-app.ts';

const LIST = 'console/pages.json';
/** The address of a page of an API key. */
const PAGE_OF_KEY = /^\/console\/k\/[^/]+(\/.*?)?\/?$/;

interface Page {
  matches: RegExp;
  /** Links to the files of the page. */
  links: string;
}

const known = new WeakMap<WebFiles, readonly Page[]>();

const linkTo = (name: string): string =>
  name.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/console/${name}">`
    : `<link rel="modulepreload" crossorigin href="/console/${name}">`;

/** Pages as the build lists them: paths, in which `$name` stands for any part, and their files. */
function readPages(files: WebFiles): readonly Page[] {
  const listed = JSON.parse(files.get(LIST)?.bytes.toString() ?? '{}') as Record<string, string[]>;
  return Object.entries(listed).map(([path, names]) => ({
    matches: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
    links: names.map(linkTo).join(''),
  }));
}

/**
 * Names the files of the page that an address opens, so that the browser asks for them at once and not when the router,
 * which is in another file, does.
 */
export function linkPageFiles(html: string, path: string, files: WebFiles): string {
  const found = PAGE_OF_KEY.exec(path);
  if (!found) return html;
  const pages = known.get(files) ?? readPages(files);
  known.set(files, pages);
  const page = pages.find(({ matches }) => matches.test(found[1] ?? '/'));
  return page ? html.replace('</head>', `${page.links}</head>`) : html;
}
