import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RESOURCES, type ResourcePath } from '../../access/oauth/resources.ts';
import type { Tx } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { ErrorStatus } from '../../lib/errors.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import { findApiKey } from '../../store/platform/api-keys.ts';
import { countUse } from '../../store/platform/rate-counters.ts';
import type { RateLimit } from '../endpoint.ts';
import type { FailureEnvelope } from '../envelope.ts';
import { OperationLimits } from '../limits/operation-limits.ts';
import { auditSourceOf } from '../request/audit-source.ts';
import type { Authenticator } from '../request/authenticate.ts';
import { allowPreflight } from '../request/cors.ts';
import { createOwnAddress, type OwnAddress } from '../request/own-address.ts';
import { limitRate } from '../server/endpoint-route.ts';
import { notifyRevocations } from '../server/run-endpoint.ts';
import { OAuthRefusal, readForm } from './form.ts';
import { type Issue, type Issued, issueTokens, revokeTokens } from './issue-tokens.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';

const BODY_BYTES = 16_384;
const MINUTE_MS = 60_000;
const ALLOWED_HEADERS = 'content-type, authorization, mcp-protocol-version, x-request-id';

/** Hosted clients refresh the grants of all of their users from one network. */
const TOKEN_LIMIT: RateLimit = {
  name: 'oauth.token',
  perMinute: ({ keyRateFactor }) => 600 * keyRateFactor,
  message: 'Too many requests for tokens. Try again after 1 minute.',
};

/** Codes for failures of the service itself, in the words of RFC 6749, section 4.1.2.1. */
const CODE_OF_FAILURE: Partial<Record<ErrorStatus, string>> = {
  INVALID_ARGUMENT: 'invalid_request',
  RESOURCE_EXHAUSTED: 'temporarily_unavailable',
  UNAVAILABLE: 'temporarily_unavailable',
  ABORTED: 'temporarily_unavailable',
};

/**
 * Serves the authorization server for clients that connect to /mcp (MCP authorization; RFC 6749, 7009, 8414 and 9728). A person
 * allows a client in the console, so that there is none of it while the console is turned off.
 *
 * Clients introduce themselves by a document at their client_id. There is no dynamic registration (RFC 7591): with it, everyone
 * could fill the database with clients, whose names nothing proves.
 */
export function addOAuth(app: FastifyInstance, deps: Deps, authenticator: Authenticator): void {
  if (!deps.settings.console) return;
  const ownAddress = createOwnAddress(deps);
  app.decorate('oauthIssuer', ownAddress);
  addMetadata(app, ownAddress);
  const operationLimits = new OperationLimits((bucket, now) => countUse(deps.db, bucket, MINUTE_MS, now));
  const add = (path: string, issue: Issue) => {
    allowPreflight(app, path, { headers: ALLOWED_HEADERS });
    app.post(path, {
      bodyLimit: BODY_BYTES,
      config: { identifies: true },
      onRequest: async (request, reply) => {
        request.operation = path;
        reply.header('access-control-allow-origin', '*').header('pragma', 'no-cache');
        await app.identify(request, reply, 'public', { bodyLimit: BODY_BYTES });
        await limitRate({ deps, operationLimits }, { rateLimit: TOKEN_LIMIT }, request, reply);
      },
      preSerialization: async (_request, _reply, payload) => inOAuthForm(payload),
      handler: (request, reply) =>
        app.inTurn(request, reply, () =>
          answer(request, reply, { deps, authenticator, issue, issuer: ownAddress(request) }),
        ),
    });
  };
  add('/oauth/token', issueTokens);
  add('/oauth/revoke', revokeTokens);
}

/** Metadata, which browsers may read from any page. */
function addMetadata(app: FastifyInstance, ownAddress: OwnAddress): void {
  const add = (path: string, document: (issuer: string) => object) => {
    const url = `/.well-known/${path}`;
    allowPreflight(app, url, { method: 'GET', headers: ALLOWED_HEADERS });
    app.get(url, async (request, reply) =>
      reply.header('access-control-allow-origin', '*').send(document(ownAddress(request))),
    );
  };
  for (const path of Object.keys(RESOURCES) as ResourcePath[]) {
    add(`oauth-protected-resource${path}`, (issuer) => resourceMetadata(issuer, path));
  }
  add('oauth-authorization-server', serverMetadata);
  // Some clients ask only here.
  add('openid-configuration', serverMetadata);
}

interface Answering {
  deps: Deps;
  authenticator: Authenticator;
  issue: Issue;
  issuer: string;
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { deps, authenticator, issue, issuer }: Answering,
): Promise<FastifyReply> {
  try {
    const form = readForm(request);
    const { answer, refusal, changed } = await deps.db.transaction().execute(async (tx) => {
      const issued = await issue(tx, form, issuer);
      if (issued.changed !== undefined) await notifyRevocations(tx, [issued.changed]);
      if (issued.ended) await recordEnd(tx, request, issued.changed!, issued.ended);
      return issued;
    });
    if (changed !== undefined) authenticator.forget(changed);
    return refusal ? refuse(reply, refusal) : reply.send(answer);
  } catch (error) {
    if (error instanceof OAuthRefusal) return refuse(reply, error);
    throw error;
  }
}

/** Records that a client ended its grant, or lost it because it used a code or token again. */
async function recordEnd(
  tx: Tx,
  request: FastifyRequest,
  tokenId: string,
  { apiKeyId, accountId }: NonNullable<Issued['ended']>,
): Promise<void> {
  const key = await findApiKey(tx, apiKeyId);
  if (!key) return;
  const source = auditSourceOf({
    caller: undefined,
    path: request.operation!,
    requestId: request.id,
    clientIp: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
  });
  const actor = { kind: 'account' as const, id: accountId };
  await recordAudit(tx, key, { ...source, actor }, [{ action: 'personal_token.revoked', id: tokenId }]);
}

function refuse(reply: FastifyReply, { code, message }: OAuthRefusal): FastifyReply {
  if (code === 'invalid_client') reply.code(401).header('www-authenticate', 'Basic realm="oauth"');
  else reply.code(400);
  return reply.send({ error: code, error_description: message });
}

/** Failures of the service itself, such as a rate that is exceeded, in the form of OAuth. */
function inOAuthForm(payload: unknown): unknown {
  const { error } = (payload ?? {}) as Partial<FailureEnvelope>;
  if (typeof error !== 'object') return payload;
  return { error: CODE_OF_FAILURE[error.status] ?? 'server_error', error_description: error.message };
}
