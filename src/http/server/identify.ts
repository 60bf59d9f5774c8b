import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '../endpoint.ts';
import type { Admission } from '../limits/admission.ts';
import type { Authenticator, KnownCaller } from '../request/authenticate.ts';

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
  options?: { bodyLimit?: number; headers?: IncomingHttpHeaders; isStream?: boolean },
) => Promise<void>;

/**
 * Sets the request's caller. Throws UNAUTHENTICATED, and RESOURCE_EXHAUSTED if the caller sends too much. Unknown
 * credentials count against the address until they prove valid.
 */
export const identifyWith =
  (authenticator: Authenticator, admission: Admission): Identify =>
  async (request, reply, auth, { bodyLimit = 0, headers = request.headers, isStream = false } = {}) => {
    let isStranger = auth === 'public';
    const countStranger = () => {
      isStranger = true;
      admission.countAddress(request, reply);
    };
    if (isStranger) countStranger();
    else {
      request.caller = await authenticator.authenticate(headers, auth, countStranger);
      if (isStranger) admission.uncountAddress(request, reply);
    }
    admission.count(request, reply);
    // Streams stay open and have limits of their own.
    if (!isStream) admission.enter(request, reply, bodyLimit);
  };
