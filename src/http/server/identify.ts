import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Demand, READING, requireDemand } from '../../access/member-roles.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Auth } from '../endpoint.ts';
import type { Admission } from '../limits/admission.ts';
import { assistantNameOf } from '../request/assistant-name.ts';
import type { Authenticator } from '../request/authenticate.ts';
import type { KnownCaller } from '../request/known-caller.ts';
import type { ConsoleGuard } from '../request/session-credentials.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: KnownCaller | undefined;
    operation?: string;
  }
  interface FastifyContextConfig {
    /** True if the route authenticates and counts requests itself. */
    identifies?: boolean;
  }
}

/** Authenticates and counts a request before a byte of its body is read. */
export type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  auth: Auth,
  options?: {
    bodyLimit?: number;
    headers?: IncomingHttpHeaders;
    isStream?: boolean;
    demand?: Demand;
    /** True for operations of the console: a public one then learns of the session that the browser has. */
    isConsole?: true | undefined;
  },
) => Promise<void>;

interface Identifying {
  authenticator: Authenticator;
  admission: Admission;
  consoleGuard: ConsoleGuard;
}

/** Finds the session of a browser that signs in. One that has ended is as good as none. */
const visitorFinder =
  ({ authenticator, consoleGuard }: Identifying) =>
  async (request: FastifyRequest): Promise<KnownCaller | undefined> => {
    const session = consoleGuard.sessionOf(request, 'account', request.headers);
    if (!session) return undefined;
    return await authenticator.authenticateSession(session, 'account').catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 'UNAUTHENTICATED') return undefined;
      throw error;
    });
  };

/**
 * Sets the request's caller, with the assistant that the request names. Throws UNAUTHENTICATED, RESOURCE_EXHAUSTED if the caller sends too much, and
 * PERMISSION_DENIED for a member without the role that is demanded. Unknown credentials count against the address until
 * they prove valid.
 */
export function identifyWith(identifying: Identifying): Identify {
  const { authenticator, admission, consoleGuard } = identifying;
  const visitorOf = visitorFinder(identifying);
  return async (
    request,
    reply,
    auth,
    { bodyLimit = 0, headers = request.headers, isStream = false, demand = READING, isConsole } = {},
  ) => {
    let isStranger = auth === 'public';
    const countStranger = () => {
      isStranger = true;
      admission.countAddress(request, reply);
    };
    if (auth === 'public') {
      countStranger();
      if (isConsole) request.caller = await visitorOf(request);
    } else {
      const session = consoleGuard.sessionOf(request, auth, headers);
      request.caller = session
        ? await authenticator.authenticateSession(session, auth, countStranger)
        : await authenticator.authenticate(headers, auth, countStranger);
      if (isStranger) admission.uncountAddress(request, reply);
    }
    admission.count(request, reply);
    if (request.caller?.member) requireDemand(request.caller.member, demand);
    const assistant = assistantNameOf(request.headers);
    // A copy, since the credential is cached for other requests. A credential of an assistant stays one without the header.
    if (assistant !== undefined && request.caller) request.caller = { ...request.caller, assistant };
    // Streams stay open and have limits of their own.
    if (!isStream) admission.enter(request, reply, bodyLimit);
  };
}
