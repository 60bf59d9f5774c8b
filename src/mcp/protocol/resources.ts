import type {
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { AgentSummary, FindingRecord, Review } from '../../../packages/client/src/operations.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import type { Report } from '../../report/report.ts';
import type { Service } from '../service/reach-service.ts';
import { MAX_ANSWER_BYTES, shortenToBytes } from '../text/answer.ts';
import { dataBlock, shownLine } from '../text/data-block.ts';
import { dayOf } from '../text/finding-text.ts';
import { Refusal } from '../text/refusal.ts';
import { getFinding } from '../tools/get-finding.ts';
import type { ToolContext } from '../tools/tool.ts';

const PER_PAGE = 30;
const AGENTS = 20;
const REVIEWS = 10;
/** Bytes of the pictures of one page. */
const MAX_PICTURES = 2 * 2 ** 20;

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'redpen://findings/{id}',
    name: 'finding',
    title: 'A finding with its evidence',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'redpen://runs/{id}/report.md',
    name: 'report',
    title: 'The report on a review or an execution',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'redpen://runs/{id}/pages/{n}/screenshot.webp',
    name: 'screenshot',
    title: 'The picture of a page of a review, numbered from 1 as in its report',
    mimeType: 'image/webp',
  },
  {
    uriTemplate: 'redpen://agents/{id}.json',
    name: 'agent',
    title: 'The configuration of an agent',
    mimeType: 'application/json',
  },
];

/** Clients show titles outside of data blocks, so no title has words of a page or a person. */
const findingResource = ({ id, severity, lastSeenAt }: FindingRecord): Resource => ({
  uri: `redpen://findings/${encodeURIComponent(id)}`,
  name: id,
  title: `Finding of severity ${severity}, last seen on ${dayOf(lastSeenAt)}`,
  mimeType: 'text/markdown',
});

const reviewResource = ({ id, startedAt }: Review): Resource => ({
  uri: `redpen://runs/${encodeURIComponent(id)}/report.md`,
  name: `${id} report`,
  title: `Report of ${dayOf(startedAt)}`,
  mimeType: 'text/markdown',
});

const agentResource = ({ id }: AgentSummary): Resource => ({
  uri: `redpen://agents/${encodeURIComponent(id)}.json`,
  name: id,
  title: `Agent ${id}`,
  mimeType: 'application/json',
});

/** One page of resources: own agents, the latest reports, and all open findings. */
export async function listResources(
  { call }: Service,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const page = { pageSize: PER_PAGE, ...(cursor !== undefined && { pageToken: cursor }) };
  const [listed, reviews, agents] = await Promise.all([
    call('/v2/agents/findings/list', page),
    cursor === undefined ? call('/v2/reviews/list', { pageSize: REVIEWS }) : undefined,
    cursor === undefined ? call('/v2/agents/get', { filter: 'customOnly', pageSize: AGENTS }) : undefined,
  ]);
  const ownAgents = agents && 'agents' in agents ? agents.agents : [];
  return {
    resources: [
      ...ownAgents.map(agentResource),
      ...(reviews?.reviews ?? []).map(reviewResource),
      ...listed.findings.map(findingResource),
    ],
    ...(listed.nextPageToken !== undefined && { nextCursor: listed.nextPageToken }),
  };
}

const FORMS =
  /^redpen:\/\/(?:findings\/(?<finding>[^/]+)|runs\/(?<run>[^/]+)\/(?:report\.md|pages\/(?<page>[1-9]\d{0,5})\/screenshot\.webp)|agents\/(?<agent>[^/]+)\.json)$/;

function decoded(text: string, uri: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unknown(uri);
  }
}

const unknown = (uri: string): Refusal =>
  new Refusal(
    `There is no resource ${shorten(shownLine(uri), 300)}. There are ${resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(', ')}.`,
  );

/** The path of a report; executions have other ids than reviews. */
const reportPath = (runId: string, format: string): string =>
  `/v2/${runId.startsWith('review_') ? 'reviews' : 'agents/execution'}/${encodeURIComponent(runId)}/report?format=${format}`;

async function readReport({ connection }: Service, uri: string, runId: string): Promise<ReadResourceResult> {
  const report = await (await connection.request(reportPath(runId, 'markdown'), {})).text();
  const room = MAX_ANSWER_BYTES - 500;
  const cut = Buffer.byteLength(report) > room;
  const rest = cut ? '\nThe report goes on: get_review lists the findings page by page.' : '';
  const text = `${dataBlock('the report', shortenToBytes(report, room))}${rest}`;
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

async function readPicture(
  { connection }: Service,
  uri: string,
  { runId, number }: { runId: string; number: number },
): Promise<ReadResourceResult> {
  const report = (await (await connection.request(reportPath(runId, 'json'), {})).json()) as Report;
  const page = report.pages[number - 1];
  if (!page) throw new Refusal(`The run has ${report.pages.length} pages, and no page ${number}.`);
  const tiles = page.screenshot?.tiles ?? [];
  if (tiles.length === 0) {
    throw new Refusal('No picture of this page is kept. Reviews with findings on a page keep one.');
  }
  const contents: ReadResourceResult['contents'] = [];
  let room = MAX_PICTURES;
  for (const [index, { artifactId }] of tiles.entries()) {
    const picture = await connection.request(`/v2/blobs/${encodeURIComponent(artifactId)}`, {});
    const bytes = Buffer.from(await picture.arrayBuffer());
    if (bytes.byteLength > room && contents.length > 0) break;
    room -= bytes.byteLength;
    const own = index === 0 ? uri : `${uri}#${index + 1}`;
    contents.push({ uri: own, mimeType: 'image/webp', blob: bytes.toString('base64') });
  }
  return { contents };
}

async function readFinding(
  uri: string,
  findingId: string,
  context: ToolContext,
): Promise<ReadResourceResult> {
  const { text } = await getFinding.run({ findingId, screenshot: 'none' }, context);
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

/** Reads a resource. Throws a Refusal for an unknown one, and RedpenErrors of the service. */
export async function readResource(uri: string, context: ToolContext): Promise<ReadResourceResult> {
  const { finding, run, page, agent } = FORMS.exec(uri)?.groups ?? {};
  const { service } = context;
  if (finding !== undefined) return await readFinding(uri, decoded(finding, uri), context);
  if (run !== undefined && page !== undefined)
    return await readPicture(service, uri, { runId: decoded(run, uri), number: Number(page) });
  if (run !== undefined) return await readReport(service, uri, decoded(run, uri));
  if (agent === undefined) throw unknown(uri);
  const { agent: found } = await service.call('/v2/agents/get', { agentId: decoded(agent, uri) });
  const text = shortenToBytes(JSON.stringify(found, null, 1), MAX_ANSWER_BYTES);
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}
