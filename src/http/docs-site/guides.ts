import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Marked, Token } from 'marked';

const PROJECT = join(import.meta.dirname, '../../..');

const FILES = {
  'getting-started': ['README.md', 'Getting started'],
  'api-conventions': ['docs/api-conventions.md', 'API conventions'],
  client: ['packages/client/README.md', 'Client for TypeScript'],
  console: ['docs/console.md', 'Console'],
  'review-agents': ['docs/review-agents.md', 'Review agents'],
  reports: ['docs/reports.md', 'Reports'],
  'review-command': ['docs/review-command.md', 'Reviews from the command line'],
  login: ['docs/login.md', 'Pages behind a login'],
  pipelines: ['docs/pipelines.md', 'Pipelines'],
  'live-documents': ['docs/live-documents.md', 'Live documents'],
  'live-events': ['docs/live-events.md', 'Live events'],
  webhooks: ['docs/webhooks.md', 'Webhooks'],
  memory: ['docs/memory.md', 'Memory'],
  running: ['docs/running.md', 'Running Redpen'],
  deploying: ['docs/deploying.md', 'Deploying'],
  backups: ['docs/backups.md', 'Backups and moves'],
  observability: ['docs/observability.md', 'Observability'],
  upgrading: ['docs/upgrading.md', 'Upgrading'],
  assistants: ['docs/assistants.md', 'AI assistants'],
  oauth: ['docs/oauth.md', 'Hosted assistants and OAuth'],
  security: ['docs/security.md', 'Security'],
  keys: ['docs/keys.md', 'Keys and their rotation'],
  audit: ['docs/audit.md', 'Audit log'],
  fairness: ['docs/fairness.md', 'Fairness'],
  scaling: ['docs/scaling.md', 'Scaling'],
  'limits-and-growth': ['docs/limits-and-growth.md', 'Limits and growth'],
  'compare-backends': ['docs/compare-backends.md', 'Comparison with other backends'],
  compare: ['docs/compare.md', 'Comparison of review tools'],
  architecture: ['docs/architecture.md', 'Architecture'],
} as const;

export interface Guide {
  /** The last part of its address. */
  name: string;
  title: string;
  /** Path of the Markdown file. */
  file: string;
}

/** The guides of this installation. Empty if it does not include the Markdown files. */
export const findGuides = (project = PROJECT): Guide[] =>
  Object.entries(FILES)
    .map(([name, [file, title]]) => ({ name, title, file: join(project, file) }))
    .filter(({ file }) => existsSync(file));

/** The Markdown form of the API reference, for programs that read text. Undefined if it is not installed. */
export const findApiText = (project = PROJECT): string | undefined => {
  const file = join(project, 'docs/api.md');
  return existsSync(file) ? file : undefined;
};

/** A part of a guide, from one heading to the next. */
export interface Section {
  /** Id of the heading; empty for the text before the first one. */
  id: string;
  depth: number;
  heading: string;
  /** Plain text, with the code. */
  text: string;
}

export interface RenderedGuide {
  html: string;
  sections: Section[];
}

/** Rewrites a link of a guide for its page. Undefined if the link points to a file that is not served. */
function targetOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', fragment = ''] =
    /^(?:\.\.\/)*(?:docs\/)?((?:packages\/client\/)?[\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === 'api') return '../../docs';
  if (name === 'packages/client/README') return `client${fragment}`;
  if (name === 'README') return `getting-started${fragment}`;
  return name in FILES ? `${name}${fragment}` : undefined;
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
        const id = idOf(text);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === undefined ? text : `<a href="${target.replaceAll('"', '&quot;')}">${text}</a>`;
      },
      // Comments in the sources direct tests.
      html: ({ text }) => (text.startsWith('<!--') ? '' : text),
    },
  });
}

/** Renders the Markdown of a guide, and splits it into sections. */
export async function renderGuide(markdown: string): Promise<RenderedGuide> {
  loading ??= loadMarked();
  const marked = await loading;
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  return { html, sections: sectionsOf(tokens) };
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [{ id: '', depth: 1, heading: '', text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading') {
      sections.push({ id: idOf(token.text), depth: token.depth, heading: plain(token.text), text: '' });
    } else if (!/^<!--/.test(token.raw)) sections.at(-1)!.text += `${plain(token.raw)}\n`;
  }
  return sections.filter(({ heading, text }) => heading !== '' || text.trim() !== '');
}

/** Markdown without the characters of its syntax. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/<!--.*?-->|-{3,}|[`*|[\]#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
