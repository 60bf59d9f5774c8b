import type { Guide } from './guides.ts';

const ABOUT: Readonly<Record<string, string>> = {
  'getting-started': 'What Redpen is, and a tour with curl.',
  'api-conventions': 'What all operations have in common: envelopes, credentials, errors, paging, retries.',
  client:
    'The client for TypeScript and JavaScript: calls, retries, lists, live stores, editors, uploads, webhooks.',
  'review-agents': 'Agents, runs, findings and suggestions.',
  reports: 'The formats of reports on reviews, and how CI systems read them.',
  pipelines: 'Reviews in GitHub Actions, GitLab and Jenkins.',
  'live-documents': 'Editors that people and a backend share (CRDT).',
  'live-events': 'The stream of events for pages.',
  webhooks: 'Receiving, verifying and decrypting webhooks.',
  memory: 'Searching past decisions, recommendations, knowledge.',
  running: 'Every setting, and running Redpen in production.',
  backups: 'Backups by command and by schedule, restoring them, and moving to a PostgreSQL server and back.',
  observability: 'Log, metrics, alerts, a Grafana dashboard, and OpenTelemetry traces.',
  assistants: 'AI assistants that mend findings: tools over MCP, set-up, safety.',
  oauth: 'Assistants that other companies host, which sign in by OAuth.',
  security: 'What is protected, and what the operator must do.',
  audit: 'Who did what from where: reading, exporting and verifying the log.',
  fairness: 'What keeps one caller from taking the service away from the others.',
  login: 'Reviewing pages behind a login: what is sent where, and sessions that end.',
  scaling: 'A server, more processes, a pooler and read replicas.',
  'limits-and-growth': 'How large tables may get, measured.',
  'compare-backends': '38 features of Redpen and of five other backends, with sources.',
  compare: 'Redpen and other review tools on the same pages, measured.',
  architecture: 'How Redpen works inside, and why.',
};

const SUMMARY =
  '> Redpen is a self-hosted JSON service over HTTP for collaboration and AI review: documents, users and permissions, comments, notifications, webhooks, shared editors, review agents that examine web pages in a real browser, and a memory of past decisions.';

const CALLS =
  'Every operation is a POST of `{"data": {…}}` with the headers `x-service-api-key` and `x-service-auth-token`, or a user token as `authorization: Bearer <token>` where the operation takes one.';

/** The text at /llms.txt (https://llmstxt.org): links to the guides as Markdown and to the API as data. */
export function printLlmsIndex(guides: readonly Guide[], hasApiText: boolean): string {
  const links = guides.map(
    ({ name, title }) => `- [${title}](docs/guides/${name}.md)${ABOUT[name] ? `: ${ABOUT[name]}` : ''}`,
  );
  return `# Redpen

${SUMMARY}

${CALLS}

## Guides

${links.join('\n')}

## API

${hasApiText ? '- [API reference](docs/api.md): every operation with its parameters, results and failures, as Markdown.\n' : ''}- [OpenAPI](openapi.json): the same as an OpenAPI 3.1 document.

## Optional

- [Everything in one text](llms-full.txt)
`;
}

/** The text at /llms-full.txt: all guides and the API reference. */
export const printLlmsText = (texts: readonly string[]): string =>
  `# Redpen\n\n${SUMMARY}\n\n${CALLS}\n\n${texts.map((text) => text.replaceAll(/^<!--.*-->\n/gm, '').trim()).join('\n\n---\n\n')}\n`;
