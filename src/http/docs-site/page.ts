import type { Guide, RenderedGuide } from './guides.ts';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Styles of the header and the guides. The reference has its own below the header. */
export const STYLE = `:root { color-scheme: light dark; --ink: #22252a; --dim: #60656d; --line: #dcdfe4; --paper: #fff; --tint: #f4f5f7; --link: #1257b3; --accent: #c0262d; --header: 3.25rem; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --dim: #9aa0a9; --line: #33373e; --paper: #17191d; --tint: #22252b; --link: #7db4ff; --accent: #ff7a7f; } }
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--header) + 1rem); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
#top { position: sticky; top: 0; z-index: 10; display: flex; align-items: center; gap: 1.25rem; height: var(--header); padding: 0 1.25rem; border-bottom: 1px solid var(--line); background: var(--paper); }
#top a { color: inherit; text-decoration: none; white-space: nowrap; }
#top a:hover { text-decoration: underline; }
#top .brand { font-weight: 700; color: var(--accent); }
#top [aria-current] { font-weight: 600; }
#top .end { margin-left: auto; position: relative; width: min(22rem, 45vw); }
#search { width: 100%; padding: .4rem .7rem; border: 1px solid var(--line); border-radius: 6px; background: var(--tint); color: inherit; font: inherit; font-size: .92rem; }
#search:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
#results { position: absolute; right: 0; top: calc(100% + .4rem); width: min(36rem, 92vw); max-height: 70vh; overflow: auto; margin: 0; padding: .35rem; list-style: none; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); box-shadow: 0 8px 30px rgb(0 0 0 / .18); }
#results a { display: block; padding: .45rem .65rem; border-radius: 5px; white-space: normal; }
#results a:hover, #results [aria-selected=true] a { background: var(--tint); text-decoration: none; }
#results b { display: block; font-weight: 600; overflow-wrap: anywhere; }
#results span { color: var(--dim); font-size: .86rem; line-height: 1.4; display: block; overflow-wrap: anywhere; }
#results .none { padding: .45rem .65rem; color: var(--dim); }
.layout { display: grid; grid-template-columns: 15rem minmax(0, 50rem); gap: 2.5rem; max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
.side { position: sticky; top: var(--header); align-self: start; max-height: calc(100vh - var(--header)); overflow: auto; padding: 1.4rem 0; font-size: .92rem; }
.side ul { margin: 0; padding: 0; list-style: none; }
.side a { display: block; padding: .2rem .6rem; border-radius: 5px; color: inherit; text-decoration: none; }
.side a:hover { background: var(--tint); }
.side [aria-current] { font-weight: 600; background: var(--tint); }
.side ul ul { margin: .2rem 0 .5rem .8rem; padding-left: .3rem; border-left: 1px solid var(--line); }
.side ul ul a { color: var(--dim); font-size: .88rem; }
main { min-width: 0; padding: .5rem 0 5rem; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .6em; }
h1 { margin-top: .8em; }
.anchor { visibility: hidden; color: var(--dim); text-decoration: none; font-weight: 400; }
:is(h1, h2, h3, h4):hover .anchor, .anchor:focus { visibility: visible; }
code { font: .88em ui-monospace, monospace; background: var(--tint); padding: .1em .3em; border-radius: 3px; }
pre { overflow-x: auto; padding: .9rem 1rem; background: var(--tint); border-radius: 6px; line-height: 1.45; }
pre code { padding: 0; background: none; }
table { display: block; overflow-x: auto; margin: 1rem 0; border-collapse: collapse; }
th, td { padding: .35rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
#try-it { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .9rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--tint); font-size: .92rem; }
#try-it input { width: 15rem; max-width: 60vw; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 5px; background: var(--paper); color: inherit; font: .92em ui-monospace, monospace; }
#try-it button { padding: .35rem .8rem; border: 0; border-radius: 5px; background: var(--link); color: var(--paper); font: inherit; cursor: pointer; }
#try-it button:disabled { opacity: .6; }
#try-it p { flex-basis: 100%; margin: 0; max-width: 62rem; color: var(--dim); font-size: .88rem; line-height: 1.5; }
.about { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--dim); font-size: .9rem; }
@media (max-width: 60rem) { .layout { display: block; } .side { position: static; max-height: none; padding-bottom: 0; } .side ul ul { display: none; } .side > ul { display: flex; flex-wrap: wrap; } }
@media (max-width: 32rem) { :root { --header: 6.25rem; } #top { flex-wrap: wrap; align-content: center; gap: .4rem 1.25rem; } #top .end { width: 100%; } }`;

/** The header of every page. `docs` is the relative address of the folder of the site, with a slash at its end. */
export function printHeader(docs: string, guides: readonly Guide[], current: 'reference' | 'guides'): string {
  const mark = (name: string) => (name === current ? ' aria-current="page"' : '');
  const first = guides[0] && `<a href="${docs}guides/${guides[0].name}"${mark('guides')}>Guides</a>`;
  return `<header id="top">
<a class="brand" href="${docs}../docs">Redpen</a>
<a href="${docs}../docs"${mark('reference')}>API reference</a>
${first ?? ''}
<div class="end" role="search"><input id="search" type="search" placeholder="Search guides and operations" aria-label="Search guides and operations" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" data-docs="${docs}"><ul id="results" role="listbox" aria-label="Results" hidden></ul></div>
</header>
`;
}

/** A guide as a page with navigation. Links are relative, so that a path prefix works. */
export function printGuide(
  guide: Guide,
  { html, sections }: RenderedGuide,
  guides: readonly Guide[],
): string {
  const chapters = sections
    .filter(({ depth, id }) => depth === 2 && id !== '')
    .map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  const links = guides.map(({ name, title }) =>
    name === guide.name
      ? `<li><a href="${name}" aria-current="page">${title}</a>${chapters.length > 0 ? `<ul>${chapters.join('')}</ul>` : ''}</li>`
      : `<li><a href="${name}">${title}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide.title} - Redpen</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${guide.name}.md">
<link rel="stylesheet" href="../site.css">
<script type="module" src="../search.js"></script>
</head>
<body>
${printHeader('../', guides, 'guides')}<div class="layout">
<nav class="side" aria-label="Guides"><ul>${links.join('')}</ul></nav>
<main>
${html}<p class="about">This page as <a href="${guide.name}.md">Markdown</a>. All pages as one text for language models: <a href="../../llms-full.txt">llms-full.txt</a>.</p>
</main>
</div>
</body>
</html>
`;
}

/** The page of the reference, whose script builds it from the OpenAPI document. */
export const printReference = (guides: readonly Guide[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Redpen API</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/site.css">
<link rel="preload" href="openapi.json" as="fetch" crossorigin="anonymous">
</head>
<body>
${printHeader('docs/', guides, 'reference')}<form id="try-it" autocomplete="off">
<b>Try it</b>
<label>API key <input name="apiKey" placeholder="key_…" spellcheck="false"></label>
<label>Auth token <input name="authToken" type="password" placeholder="of this key"></label>
<button>Create the data of the examples</button>
<output aria-live="polite"></output>
<p>Requests that are sent from this page carry these credentials. Ids in examples, such as <code>agent_1a2B3c…</code>, are replaced by the latest of their kind that the service has returned to this page. No API key yet? Send <code>/v2/workspace/create</code>, then <code>/v2/workspace/authtokens/get</code>; this page fills in the fields. All is kept in this tab only.</p>
</form>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same reference as data: <a href="openapi.json">openapi.json</a>; as text: <a href="docs/api.md">api.md</a>.</noscript>
<script type="module" src="docs/try-it.js"></script>
<script defer src="docs/scalar.js"></script>
<script type="module" src="docs/reference.js"></script>
<script type="module" src="docs/search.js"></script>
</body>
</html>
`;

/** A red pen stroke. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#c0262d"/><path d="M8 24l3-8L21 6l5 5-10 10z" fill="#fff"/><path d="M8 24l3-8 5 5z" fill="#ffd7d8"/></svg>
`;
