import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerOf, PendingRequests } from '../../http/limits/admission.ts';
import { challengeOf } from '../../http/oauth/challenge.ts';
import { createConsoleGuard } from '../../http/request/session-credentials.ts';
import { ApiError } from '../../lib/errors.ts';
import { endInjected } from '../service/inject-fetch.ts';
import type { Serving } from './answer-request.ts';

export const MCP_PATHS = ['/mcp', '/mcp/readonly'] as const;
export type McpPath = (typeof MCP_PATHS)[number];

/** Arguments of tools are short; the longest are patches. */
const BODY_BYTES = 262_144;
/** Operations that the tools of one request call at once. */
const AT_ONCE = 4;
/** Open requests of a caller, with those that wait for a review and subscriptions. */
const MAX_OPEN = 100;
const WRONG_PAGE = 'Only programs may use this address, and no page of another origin.';
const NO_SESSIONS = 'Assistants need a token of their own: the console has no use for this address.';

/** Serves the Model Context Protocol over HTTP: without sessions, for clients of 2026-07-28 and of 2025. */
export function addMcp(app: FastifyInstance, deps: Pick<Deps, 'settings' | 'log'>): void {
  const guard = createConsoleGuard(deps);
  const atOnce = Math.min(AT_ONCE, deps.settings.requestsAtOnce);
  const open = new Set<{ close(): Promise<void> }>();
  const pending = new PendingRequests();
  endInjected(app);
  // Subscriptions would keep their connections open for ever.
  app.closing.addEventListener('abort', () => {
    for (const handler of open) void handler.close();
  });
  for (const path of MCP_PATHS) {
    const isReadOnly = path === '/mcp/readonly';
    const serving: Serving = { app, log: deps.log, open, isReadOnly, bodyBytes: BODY_BYTES, atOnce };
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      bodyLimit: BODY_BYTES,
      config: { identifies: true },
      onRequest: async (request, reply) => {
        request.operation = path;
        guard.admit(request, WRONG_PAGE);
        try {
          // The operations that a tool calls count as requests at once; this one, which waits for them, would count twice.
          await app.identify(request, reply, 'apiKeyOrUser', { isStream: true });
          // A page of the console could send its session without knowing that it does.
          if (request.caller?.session) throw new ApiError('UNAUTHENTICATED', NO_SESSIONS);
        } catch (error) {
          challenge(request, reply, path, error);
          throw error;
        }
        if (!reply.raw.closed)
          reply.raw.once('close', pending.add(callerOf(request.caller, request.ip), BODY_BYTES, MAX_OPEN));
      },
      handler: async (request, reply) => {
        // Loaded with the first request of an assistant, since the library takes a part of a start.
        const { answerRequest } = await import('./answer-request.ts');
        return await answerRequest(serving, request, reply);
      },
    });
  }
}

/** Says in the response where a client gets a token, or one with the scope that is missing (RFC 6750, section 3). */
function challenge(request: FastifyRequest, reply: FastifyReply, path: McpPath, error: unknown): void {
  const { status } = error instanceof ApiError ? error : {};
  const lacksScope = status === 'PERMISSION_DENIED' && request.caller?.member?.scopes !== undefined;
  if (status !== 'UNAUTHENTICATED' && !lacksScope) return;
  const isKnown = request.headers.authorization !== undefined;
  const problem = lacksScope ? 'insufficient_scope' : isKnown ? 'invalid_token' : undefined;
  reply.header('www-authenticate', challengeOf(request, { path, error: problem }) ?? 'Bearer');
}
