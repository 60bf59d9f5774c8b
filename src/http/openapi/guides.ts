import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Marked } from 'marked';

const FOLDER = join(import.meta.dirname, '../../../docs');

const TITLES = {
  'api-conventions': 'API conventions',
  'review-agents': 'Review agents',
  'live-documents': 'Live documents',
  'live-events': 'Live events',
  webhooks: 'Webhooks',
  memory: 'Memory',
  running: 'Running Redpen',
  security: 'Security',
} as const;

export interface Guide {
  /** The name of the file, without its ending. */
  name: string;
  title: string;
  file: string;
}

/** The guides of this installation. Empty if it does not include the `docs` folder. */
export const findGuides = (folder = FOLDER): Guide[] =>
  Object.entries(TITLES)
    .map(([name, title]) => ({ name, title, file: join(folder, `${name}.md`) }))
    .filter(({ file }) => existsSync(file));

/** Rewrites a link of a guide for its page. Undefined if the link points to a file that is not served. */
function targetOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === 'api') return `../../docs${fragment}`;
  return name in TITLES ? `${name}${fragment}` : undefined;
}

/** The id that GitHub gives a heading, which links in the guides use. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/<[^>]+>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

let loading: Promise<Marked> | undefined;

/** The renderer is loaded with the first guide. */
async function loadMarked(): Promise<Marked> {
  const { Marked } = await import('marked');
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === undefined ? text : `<a href="${target.replaceAll('"', '&quot;')}">${text}</a>`;
      },
    },
  });
}

const STYLE = `body { margin: 0; color: #22252a; font: 16px/1.6 system-ui, sans-serif; }
nav { padding: .8rem 1.5rem; border-bottom: 1px solid #d8dbe0; }
nav a { margin-right: 1.2rem; }
nav [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
main { max-width: 50rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
a { color: #1257b3; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .6em; }
h1 { margin-top: 1em; }
code { font: .88em ui-monospace, monospace; background: #f1f2f4; padding: .1em .3em; border-radius: 3px; }
pre { overflow-x: auto; padding: .9rem 1rem; background: #f1f2f4; border-radius: 5px; line-height: 1.45; }
pre code { padding: 0; background: none; }
table { display: block; overflow-x: auto; margin: 1rem 0; border-collapse: collapse; }
th, td { padding: .35rem .7rem; border: 1px solid #d8dbe0; text-align: left; vertical-align: top; }`;

/** Renders a guide as an HTML page that links to the other guides. Links are relative, so a path prefix works. */
export async function renderGuide(guide: Guide, markdown: string, guides: readonly Guide[]): Promise<string> {
  loading ??= loadMarked();
  const marked = await loading;
  const links = guides.map(({ name, title }) =>
    name === guide.name
      ? `<a href="${name}" aria-current="page">${title}</a>`
      : `<a href="${name}">${title}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide.title} - Redpen</title>
<link rel="icon" href="../favicon-32x32.png">
<style>
${STYLE}
</style>
</head>
<body>
<nav aria-label="Guides"><a href="../../docs">API</a>${links.join('')}</nav>
<main>
${marked.parse(markdown, { async: false })}</main>
</body>
</html>
`;
}
