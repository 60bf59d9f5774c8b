import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { invalidRequest, permissionDenied } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { LINK_REFUSED, readLink, signedQuery } from '../../lib/links/signed-links.ts';
import type { Scope } from '../../lib/scope.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { type ReportFormat, reportFormatNames } from '../../report/formats.ts';
import type { Pictures, Report } from '../../report/report.ts';
import { getArtifact } from '../../store/agents/artifacts.ts';
import { requireExecution } from '../../store/agents/executions.ts';
import { requireReview } from '../../store/agents/reviews.ts';
import { findApiKey } from '../../store/platform/api-keys.ts';
import { reportOfExecution, reportOfReview } from './read-report.ts';

export const REPORT_LINKS_PATH = '/v2/reports';

/** Bytes of the pictures in one HTML report: further pages go without. */
const MAX_PICTURE_BYTES = 64 * 2 ** 20;
const HOUR_MS = 3_600_000;

export interface ReportDeps {
  db: Db;
  outside: { blobs: BlobStore };
}

export interface SentReport {
  bytes: Uint8Array;
  mimeType: string;
  name: string;
  isPage?: boolean;
}

type Place = Pick<Scope, 'apiKeyId'> & { id: string };

/** A link to a report that needs no credentials. */
export function reportLink(
  keyring: Keyring,
  origin: string,
  { apiKeyId, id }: Place,
  validForHours: number,
): { url: string; expiresAt: number } {
  const expiresAt = Date.now() + validForHours * HOUR_MS;
  const query = signedQuery(keyring, { apiKeyId, id, purpose: 'report' }, expiresAt);
  return { url: `${origin}${REPORT_LINKS_PATH}/${encodeURIComponent(id)}?${query}`, expiresAt };
}

/** The report that a signed link names, as HTML unless its query names another format. */
export async function serveSharedReport(
  { id, query }: { id: string; query: Fields },
  deps: ReportDeps & { keyring: Keyring },
): Promise<SentReport> {
  const target = readLink(deps.keyring, id, query);
  if (target?.purpose !== 'report') throw permissionDenied(LINK_REFUSED);
  const report = isReview(id) ? await reviewed(deps.db, target) : await executed(deps.db, target);
  return await render(report, formatOf(query, 'html'), target, deps);
}

/** The API key of a shared report, for the audit log. */
export async function ownerOfSharedReport(
  { id, query }: { id: string; query: Fields },
  { db, keyring }: { db: Db; keyring: Keyring },
): Promise<Scope | undefined> {
  const { apiKeyId } = readLink(keyring, id, query) ?? {};
  return apiKeyId === undefined ? undefined : await findApiKey(db, apiKeyId);
}

export const typeOfReport = (id: string): 'review' | 'execution' => (isReview(id) ? 'review' : 'execution');

export const serveReviewReport = async (place: Place, query: Fields, deps: ReportDeps): Promise<SentReport> =>
  await render(await reviewed(deps.db, place), formatOf(query, 'json'), place, deps);

export const serveExecutionReport = async (
  place: Place,
  query: Fields,
  deps: ReportDeps,
): Promise<SentReport> => await render(await executed(deps.db, place), formatOf(query, 'json'), place, deps);

const isReview = (id: string): boolean => id.startsWith('review_');

const reviewed = async (db: Db, { apiKeyId, id }: Place): Promise<Report> =>
  await reportOfReview(db, await requireReview(db, { apiKeyId }, id));

const executed = async (db: Db, { apiKeyId, id }: Place): Promise<Report> =>
  await reportOfExecution(db, await requireExecution(db, { apiKeyId }, id));

function formatOf({ format = '' }: Fields, byDefault: ReportFormat): ReportFormat {
  if (format === '') return byDefault;
  const known = reportFormatNames.find((name) => name === format);
  if (known) return known;
  throw invalidRequest([
    {
      path: ['format'],
      code: 'invalid_value',
      message: `format must be one of ${reportFormatNames.join(', ')}.`,
    },
  ]);
}

async function render(
  report: Report,
  format: ReportFormat,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  deps: ReportDeps,
): Promise<SentReport> {
  // Loaded when the first report is made.
  const { reportFormats } = await import('../../report/registry/report-formats.ts');
  const { fileName, mimeType, render } = reportFormats[format];
  const pictures = format === 'html' ? await picturesOf(report, apiKeyId, deps) : new Map();
  const bytes = Buffer.from(render(report, { pictures }));
  return { bytes, mimeType, name: fileName, ...(format === 'html' && { isPage: true }) };
}

/** The pictures of the pages of a report, up to `MAX_PICTURE_BYTES`. */
async function picturesOf(report: Report, apiKeyId: string, { db, outside }: ReportDeps): Promise<Pictures> {
  const pictures = new Map<string, Uint8Array>();
  let room = MAX_PICTURE_BYTES;
  for (const { artifactId } of report.pages.flatMap(({ screenshot }) => screenshot?.tiles ?? [])) {
    const artifact = await getArtifact(db, { apiKeyId }, artifactId);
    if (!artifact || artifact.sizeBytes > room) continue;
    const blob = await outside.blobs.get(artifact.blobKey);
    if (!blob) continue;
    pictures.set(artifactId, blob.bytes);
    room -= blob.bytes.byteLength;
  }
  return pictures;
}
