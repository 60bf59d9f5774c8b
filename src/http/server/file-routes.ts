import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { requireStorable } from '../../lib/text/storable-json.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import {
  type ApiKeyFileRoute,
  type DownloadRoute,
  type FileRoute,
  type SentFile,
  UPLOADED,
  type UploadRoute,
} from '../file-route.ts';
import { auditSourceOf } from '../request/audit-source.ts';
import { allowOrigin, allowPreflight } from '../request/cors.ts';
import type { Identify } from './identify.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes after which reading the body ends, if fewer than the route allows. */
    bodyBound?: number | undefined;
  }
}

/** Stored files never change. */
const SHOWN_FILES_CACHED = 'private, max-age=900, immutable';

/** Allows what a page without scripts needs: its own styles, its pictures, and links that open elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox";

interface FileRequest {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

export function addFileRoute(app: FastifyInstance, deps: Deps, identify: Identify, route: FileRoute): void {
  if (route.by === 'apiKey') addForApiKey(app, deps, identify, route);
  else if (route.by === 'download link') addDownload(app, deps, identify, route);
  else addUpload(app, deps, identify, route);
}

function addForApiKey(app: FastifyInstance, deps: Deps, identify: Identify, route: ApiKeyFileRoute): void {
  app.get<FileRequest>(`${route.path}/:id${route.after ?? ''}`, {
    config: { identifies: true },
    onRequest: async (request, reply) => {
      request.operation = route.path;
      await identify(request, reply, 'apiKey');
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      requireStorable({ ...params, ...query });
      const file = await app.inTurn(request, reply, () =>
        route.handle({ id: params.id, query }, request.caller as Scope, deps),
      );
      await recordDownload(deps, route, request, request.caller as Scope);
      return sendFile(reply, 'inline', file);
    },
  });
}

function addDownload(app: FastifyInstance, deps: Deps, identify: Identify, route: DownloadRoute): void {
  app.get<FileRequest>(`${route.path}/:id`, {
    config: { identifies: true },
    onRequest: async (request, reply) => {
      request.operation = route.path;
      await identify(request, reply, 'public');
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      requireStorable({ ...params, ...query });
      const file = await app.inTurn(request, reply, () => route.handle({ id: params.id, query }, deps));
      const owner = await route.audit?.ownerOf?.({ id: params.id, query }, deps);
      if (owner) await recordDownload(deps, route, request, owner, { kind: 'link' });
      if (route.isOpened) {
        // The address is the credential: search engines must not list it, nor pages that are linked learn it.
        reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer');
        return sendFile(reply, 'inline', file);
      }
      if (!route.isShown) return sendFile(reply, 'attachment', file);
      const disposition = file.shows === false ? 'attachment' : 'inline';
      reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*');
      reply.header('cache-control', SHOWN_FILES_CACHED);
      return sendFile(reply, disposition, file);
    },
  });
}

/** Records a download before the file is sent, so that nothing leaves without an entry. */
async function recordDownload(
  { db }: Deps,
  { audit, path }: Pick<ApiKeyFileRoute, 'audit' | 'path'>,
  { params, query, caller, id: requestId, ip: clientIp, headers }: FastifyRequest<FileRequest>,
  owner: Scope,
  actor?: { kind: 'link' },
): Promise<void> {
  if (!audit) return;
  const userAgent = headers['user-agent'] ?? '';
  const source = auditSourceOf({ caller, path, requestId, clientIp, userAgent });
  const { format } = query;
  await recordAudit(db, owner, { ...source, ...(actor && { actor }) }, [
    { action: audit.action, type: audit.typeOf(params.id), id: params.id, after: { format } },
  ]);
}

function addUpload(app: FastifyInstance, deps: Deps, identify: Identify, route: UploadRoute): void {
  const bodyLimit = route.bodyLimitBytes(deps.settings);
  if (route.isFromPages) {
    allowPreflight(app, `${route.path}/:id`, { method: 'PUT', headers: 'content-type, x-request-id' });
  }
  app.put<FileRequest>(`${route.path}/:id`, {
    bodyLimit,
    config: { identifies: true },
    onRequest: async (request, reply) => {
      const { headers, params, query } = request;
      request.operation = route.path;
      if (route.isFromPages) allowOrigin(request, reply);
      await identify(request, reply, 'public', { bodyLimit });
      if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
        throw invalidArgument('The request body must not be compressed.');
      requireStorable({ ...params, ...query });
      const length = headers['content-length'];
      request.bodyBound = await route.accept(
        { id: params.id, query },
        {
          mimeType: headers['content-type'] ?? '',
          byteSize: length === undefined ? undefined : Number(length),
        },
        deps,
      );
    },
    handler: async ({ params, query, body }, reply) => {
      await route.handle({ id: params.id, query }, (body as Uint8Array | undefined) ?? Buffer.alloc(0), deps);
      return reply.send({ result: { status: 'success', message: UPLOADED } });
    },
  });
}

/** A name as an extended parameter (RFC 8187). */
const extended = (name: string): string =>
  `UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`;

function sendFile(
  reply: FastifyReply,
  disposition: 'inline' | 'attachment',
  { bytes, mimeType, name, shows, isPage }: SentFile,
): FastifyReply {
  const plain = `${disposition}; filename="${name.replace(/[^\w.-]/g, '_')}"`;
  reply.header('content-disposition', shows === undefined ? plain : `${plain}; filename*=${extended(name)}`);
  reply.header('content-security-policy', isPage ? PAGE_POLICY : "default-src 'none'; sandbox");
  return reply.type(mimeType).send(Buffer.from(bytes));
}
