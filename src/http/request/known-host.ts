import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { permissionDenied } from '../../lib/errors.ts';
import { hostnameOf, isLoopback } from './own-address.ts';

/** Throws PERMISSION_DENIED unless a request names a host under which the console and assistants may use the service. */
export type RequireKnownHost = (request: FastifyRequest) => void;

/**
 * Guards the console, and the address of assistants, against pages that reach it under a name of their own, which they let resolve to its address (DNS
 * rebinding). An IP address is no such name. Callers with an API key are not concerned: no browser adds it by itself.
 */
export function createKnownHosts({ settings }: Pick<Deps, 'settings'>): RequireKnownHost {
  const isTrusted = proxyAddr.compile(settings.trustProxy);
  const own = settings.publicUrl === undefined ? undefined : new URL(settings.publicUrl).hostname;
  const known = new Set([...settings.consoleHosts, ...(own === undefined ? [] : [own])]);
  return (request) => {
    const hostname = hostnameOf(request.host);
    const { remoteAddress } = request.socket;
    const isKnown =
      hostname !== undefined &&
      (isLoopback(hostname) ||
        isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ||
        known.has(hostname) ||
        // The proxy answers for its host, unless a public address says which one that is.
        (own === undefined && remoteAddress !== undefined && isTrusted(remoteAddress, 0)));
    if (!isKnown) {
      throw permissionDenied(
        `The service is not known under the host ${JSON.stringify(request.host.slice(0, 255))}: REDPEN_PUBLIC_URL names its address, and REDPEN_CONSOLE_HOSTS further hosts.`,
      );
    }
  };
}
