import { z } from 'zod';
import type {
  AgentSummary,
  Document,
  Operations,
  Organization,
  Review,
} from '../../../packages/client/src/operations.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import { severities } from '../../shapes/agents/execution.ts';
import type { Service } from '../service/reach-service.ts';
import { dataBlock, shownLine } from '../text/data-block.ts';
import { minuteOf } from '../text/finding-text.ts';
import { READS, type ToolContext, tool } from './tool.ts';

const ORGANIZATIONS = 5;
const DOCUMENTS = 20;
/** Documents whose findings are counted, each by a request. */
const COUNTED = 12;
const AGENTS = 10;
const REVIEWS = 5;

type Counts = Operations['/v2/agents/findings/count']['result'];

interface Place {
  organizationId: string;
  documentId: string;
  name: string;
}

const named = (name: unknown): string => shorten(shownLine(String(name ?? '')), 80);

const countsLine = ({ total, bySeverity, byDecision }: Counts): string => {
  const graded = severities.filter((one) => bySeverity[one] > 0).map((one) => `${bySeverity[one]} ${one}`);
  const accepted = byDecision.accepted > 0 ? `; ${byDecision.accepted} of them accepted` : '';
  return `${plural(total, 'open finding')}${graded.length > 0 ? ` (${graded.join(', ')})` : ''}${accepted}`;
};

async function placesOf(service: Service, organizations: readonly Organization[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const { id: organizationId } of organizations) {
    if (places.length >= DOCUMENTS) break;
    const documents = await service.call('/v2/organizations/documents/get', {
      organizationId,
      pageSize: DOCUMENTS,
    });
    for (const { id, documentName } of documents as Document[])
      places.push({ organizationId, documentId: id, name: named(documentName) });
  }
  return places.slice(0, DOCUMENTS);
}

async function documentLines(service: Service, organizations: readonly Organization[]): Promise<string[]> {
  const places = await placesOf(service, organizations);
  const counts = await Promise.all(
    places
      .slice(0, COUNTED)
      .map(({ organizationId, documentId }) =>
        service.call('/v2/agents/findings/count', { organizationId, documentId }),
      ),
  );
  return places.map(({ organizationId, documentId, name }, index) => {
    const open = counts[index] ? `: ${countsLine(counts[index])}` : '';
    return `- ${organizationId}/${documentId} "${name}"${open}`;
  });
}

const agentLine = ({ id, name, description = '', enabled }: AgentSummary): string =>
  `- ${id} "${named(name)}"${enabled ? '' : ' (disabled)'}${description ? `: ${shorten(shownLine(description), 100)}` : ''}`;

const reviewLine = ({ id, status, verdict, startedAt, urls, counts }: Review): string => {
  const state = status === 'ended' ? `ended: ${verdict ?? 'no verdict'}` : 'running';
  const open = counts ? `, ${plural(counts.open, 'open finding')}` : '';
  return `- ${id} ${minuteOf(startedAt)} ${state}${open}: ${urls
    .slice(0, 2)
    .map((url) => shorten(shownLine(url), 100))
    .join(', ')}`;
};

async function describe({ service }: ToolContext): Promise<string> {
  const [counts, organizations, agents, reviews] = await Promise.all([
    service.call('/v2/agents/findings/count', {}),
    service.call('/v2/organizations/get', { pageSize: ORGANIZATIONS }),
    service.call('/v2/agents/get', { filter: 'customOnly', pageSize: AGENTS }),
    service.call('/v2/reviews/list', { pageSize: REVIEWS }),
  ]);
  const documents = await documentLines(service, organizations);
  const lists: [string, readonly string[]][] = [
    ['Documents, as organizationId/documentId', documents],
    ['Agents of this workspace', 'agents' in agents ? agents.agents.map(agentLine) : []],
    ['Latest reviews', reviews.reviews.map(reviewLine)],
  ];
  const listed = lists.flatMap(([title, lines]) => (lines.length === 0 ? [] : [`${title}:`, ...lines]));
  return [
    `${countsLine(counts)} in all.`,
    ...(listed.length === 0 ? [] : [dataBlock('names', listed.join('\n'))]),
    'Built-in agents such as broken-links, spell-check and accessibility-checker need no model; review_page runs them by preset too (launch, content, accessibility, privacy).',
    counts.total > 0
      ? 'Next: list_findings, with a document or a severity, then get_finding for the evidence.'
      : 'Next: review_page with the address of a page.',
  ].join('\n');
}

export const overview = tool({
  name: 'overview',
  title: 'Overview',
  description:
    'What there is: documents with their open findings, agents, latest reviews. Start here when you do not know the ids.',
  input: z.strictObject({}),
  annotations: READS,
  run: async (_, context) => ({ text: await describe(context) }),
});
