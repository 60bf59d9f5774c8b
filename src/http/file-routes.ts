import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import { invalidArgument } from '../lib/errors.ts';
import type { Scope } from '../lib/scope.ts';
import { requireStorable } from '../lib/text/storable-json.ts';
import type { Identify } from './identify.ts';

export interface SentFile {
  bytes: Uint8Array;
  mimeType: string;
  /** What it is called where it is saved. */
  name: string;
}

/** A kept file for whoever has the API key, as raw bytes. */
export interface KeptFileRoute {
  path: string;
  by: 'apiKey';
  handle(params: { id: string }, caller: Scope, deps: Deps): Promise<SentFile>;
}

/** What a link says: the id in its path, and its query, in which a name may stand more than once. */
export interface Link {
  id: string;
  query: Record<string, unknown>;
}

interface LinkRoute {
  path: string;
  summary: string;
  description: string;
}

/** A file for whoever holds a link that was signed, which alone says what it is for. */
export interface DownloadRoute extends LinkRoute {
  by: 'download link';
  handle(link: Link, deps: Deps): Promise<SentFile>;
}

/** The same for a file that is to come, as raw bytes. */
export interface UploadRoute extends LinkRoute {
  by: 'upload link';
  bodyLimitBytes: number;
  /** Before the body is read. Throws where this file may not come. Sizes are in bytes. */
  admit(link: Link, file: { mimeType: string; byteSize: number | undefined }, deps: Deps): Promise<void>;
  handle(link: Link, bytes: Uint8Array, deps: Deps): Promise<void>;
}

/** A handler of raw bytes, for the few that are not JSON. */
export type FileRoute = KeptFileRoute | DownloadRoute | UploadRoute;

export const UPLOADED = 'File uploaded.';

interface Request {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

export function addFileRoute(app: FastifyInstance, deps: Deps, identify: Identify, route: FileRoute): void {
  if (route.by === 'apiKey') addKeptFiles(app, deps, identify, route);
  else if (route.by === 'download link') addDownload(app, deps, identify, route);
  else addUpload(app, deps, identify, route);
}

function addKeptFiles(app: FastifyInstance, deps: Deps, identify: Identify, route: KeptFileRoute): void {
  app.get<Request>(`${route.path}/:id`, {
    config: { identifies: true },
    onRequest: async (request, reply) => {
      request.operation = route.path;
      await identify(request, reply, 'apiKey');
    },
    handler: async (request, reply) => {
      requireStorable(request.params);
      const file = await app.inTurn(request, reply, () =>
        route.handle(request.params, request.caller as Scope, deps),
      );
      return sendFile(reply, 'inline', file);
    },
  });
}

function addDownload(app: FastifyInstance, deps: Deps, identify: Identify, route: DownloadRoute): void {
  app.get<Request>(`${route.path}/:id`, {
    config: { identifies: true },
    onRequest: async (request, reply) => {
      request.operation = route.path;
      await identify(request, reply, 'public');
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      requireStorable({ ...params, ...query });
      const file = await app.inTurn(request, reply, () => route.handle({ id: params.id, query }, deps));
      return sendFile(reply, 'attachment', file);
    },
  });
}

function addUpload(app: FastifyInstance, deps: Deps, identify: Identify, route: UploadRoute): void {
  app.put<Request>(`${route.path}/:id`, {
    bodyLimit: route.bodyLimitBytes,
    config: { identifies: true },
    onRequest: async (request, reply) => {
      const { headers, params, query } = request;
      request.operation = route.path;
      await identify(request, reply, 'public', { bodyLimit: route.bodyLimitBytes });
      if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
        throw invalidArgument('The request body must not be compressed.');
      requireStorable({ ...params, ...query });
      const length = headers['content-length'];
      await route.admit(
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

function sendFile(
  reply: FastifyReply,
  disposition: 'inline' | 'attachment',
  { bytes, mimeType, name }: SentFile,
): FastifyReply {
  reply.header('content-disposition', `${disposition}; filename="${name.replace(/[^\w.-]/g, '_')}"`);
  reply.header('content-security-policy', "default-src 'none'; sandbox");
  return reply.type(mimeType).send(Buffer.from(bytes));
}
