import {
  ATTACHMENT_FILES_PATH,
  ATTACHMENT_UPLOADS_PATH,
  admitAttachment,
  downloadAttachment,
  receiveAttachment,
} from '../files/attachments.ts';
import type { FileRoute } from '../http/file-route.ts';
import { notFound } from '../lib/errors.ts';
import { MAX_UPLOAD_BYTES } from '../memory/knowledge/check-file.ts';
import {
  admitUpload,
  downloadLinked,
  FILES_PATH,
  receiveUpload,
  UPLOADS_PATH,
} from '../memory/knowledge/serve-links.ts';
import { type ReportFormat, reportFormatNames } from '../report/formats.ts';
import {
  ownerOfSharedReport,
  REPORT_LINKS_PATH,
  serveExecutionReport,
  serveReviewReport,
  serveSharedReport,
  typeOfReport,
} from '../review/reviews/serve-report.ts';
import { ARTIFACTS_PATH, downloadArtifact } from '../review/run/artifact-links.ts';
import { getArtifact } from '../store/agents/artifacts.ts';

const audit = { action: 'report.exported', typeOf: typeOfReport } as const;

const SO_FAR = 'While it is running, the report shows what is known so far, and a note says so.';

const format = (byDefault: ReportFormat) => ({
  name: 'format',
  description: `The format of the report; \`${byDefault}\` by default.`,
  values: reportFormatNames,
});

/** Routes that send or receive raw bytes. */
export const files: readonly FileRoute[] = [
  {
    path: '/v2/blobs',
    by: 'apiKey',
    summary: 'Download a stored file.',
    description:
      'Returns a file that an execution stored, such as a screenshot, by its `artifactId`. Browsers need a link that is valid without these credentials: see `url` beside `artifactId` in answers to user tokens.',
    async handle({ id }, caller, { db, outside }) {
      const artifact = await getArtifact(db, caller, id);
      const blob = artifact && (await outside.blobs.get(artifact.blobKey));
      if (!artifact || !blob) throw notFound(`There is no file ${id}.`);
      return { bytes: blob.bytes, mimeType: artifact.mimeType, name: artifact.name };
    },
  },
  {
    path: '/v2/reviews',
    after: '/report',
    by: 'apiKey',
    summary: 'Get the report on a review.',
    description: `The findings of all its agents, with duplicates merged, in the chosen format. ${SO_FAR}`,
    choice: format('json'),
    audit,
    handle: ({ id, query }, { apiKeyId }, deps) => serveReviewReport({ apiKeyId, id }, query, deps),
  },
  {
    path: '/v2/agents/execution',
    after: '/report',
    by: 'apiKey',
    summary: 'Get the report on an execution.',
    description: `Its findings in the chosen format. ${SO_FAR}`,
    choice: format('json'),
    audit,
    handle: ({ id, query }, { apiKeyId }, deps) => serveExecutionReport({ apiKeyId, id }, query, deps),
  },
  {
    path: REPORT_LINKS_PATH,
    by: 'download link',
    isOpened: true,
    summary: 'Open a shared report.',
    description:
      'Uses a link from reviews/share or agents/execution/share. It needs no credentials and has an end: anyone with the link may open it until then.',
    choice: format('html'),
    audit: { ...audit, ownerOf: ownerOfSharedReport },
    handle: serveSharedReport,
  },
  {
    path: ARTIFACTS_PATH,
    by: 'download link',
    isShown: true,
    summary: 'Show a stored file of an execution.',
    description:
      'Uses a link from an answer to a user token, such as `screenshot.tiles[].url`. It is valid for at least 45 minutes and needs no credentials, so that a page can show it in an `<img>`: anyone with the link may use it.',
    handle: downloadArtifact,
  },
  {
    path: FILES_PATH,
    by: 'download link',
    summary: 'Download the file of a knowledge source, or its text.',
    description:
      'Uses a link from memory/knowledge/ingest-status or memory/knowledge/list. It is valid for 15 minutes and needs no credentials: anyone with the link may use it.',
    handle: downloadLinked,
  },
  {
    path: UPLOADS_PATH,
    by: 'upload link',
    summary: 'Upload a file for a knowledge source.',
    description:
      'Uses the link from memory/knowledge/upload-url, once, within 15 minutes and without credentials. The body is the content of the file, with the announced content-type and size.',
    bodyLimitBytes: () => MAX_UPLOAD_BYTES,
    accept: admitUpload,
    handle: receiveUpload,
  },
  {
    path: ATTACHMENT_FILES_PATH,
    by: 'download link',
    isShown: true,
    summary: 'Show or download an attachment of a comment.',
    description:
      'Uses the `url` of an attachment, as comments and attachments/get return it. It is valid for at least 45 minutes and needs no credentials, so that a page can show it in an `<img>`: anyone with the link may use it. PNG, JPEG, GIF, WebP and AVIF pictures are shown; every other file is only saved.',
    handle: downloadAttachment,
  },
  {
    path: ATTACHMENT_UPLOADS_PATH,
    by: 'upload link',
    isFromPages: true,
    summary: 'Upload a file to attach to a comment.',
    description:
      'Uses the `uploadUrl` from attachments/create, once, within 15 minutes and without credentials, from a backend or a page of any origin. The body is the content of the file, with the announced content-type and size. The content must be of the announced type by its first bytes, and a picture may have at most 100 million pixels.',
    bodyLimitBytes: ({ attachmentBytes }) => attachmentBytes,
    accept: admitAttachment,
    handle: receiveAttachment,
  },
];
