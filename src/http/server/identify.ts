import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '../endpoint.ts';
import type { Admission } from '../limits/admission.ts';
import type { Authenticator, Known } from '../request/authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Known | undefined;
    operation?: string;
  }
  interface FastifyContextConfig {
    /** The route finds out by itself who asks, and counts the request. */
    identifies?: boolean;
  }
}

/** Finds out who asks before a byte of the body is read, and counts the request. */
export type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  auth: Auth,
  options?: { bodyLimit?: number; headers?: IncomingHttpHeaders; isStream?: boolean },
) => Promise<void>;

/**
 * Sets the request's caller. Throws UNAUTHENTICATED, and RESOURCE_EXHAUSTED for who asks too often. An address is
 * counted where its credentials are not known yet; proving right takes that back.
 */
export const identifyWith =
  (authenticator: Authenticator, admission: Admission): Identify =>
  async (request, reply, auth, { bodyLimit = 0, headers = request.headers, isStream = false } = {}) => {
    let isStranger = auth === 'public';
    const meet = () => {
      isStranger = true;
      admission.meetStranger(request, reply);
    };
    if (isStranger) meet();
    else {
      request.caller = await authenticator.authenticate(headers, auth, meet);
      if (isStranger) admission.recognise(request, reply);
    }
    admission.count(request, reply);
    // A stream stays open, and has bounds of its own.
    if (!isStream) admission.enter(request, reply, bodyLimit);
  };
