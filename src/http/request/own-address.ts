import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';

const SANE_HOST = /^[\w.:[\]-]{1,255}$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The name or address in a Host header, without the port; undefined if it is none. */
export const hostnameOf = (host: string): string | undefined =>
  SANE_HOST.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Returns the address at which the caller of a request reaches this service, without a trailing slash. */
export type OwnAddress = (request: FastifyRequest) => string;

/**
 * The public address of the settings. Without it, the host of the request is trusted only if no attacker can have chosen
 * it: it comes from a trusted proxy, is loopback, or is the local address of the connection. Otherwise the local address
 * is used, because signed links must not lead to a host of an attacker's choice.
 */
export function createOwnAddress({ settings, log }: Pick<Deps, 'settings' | 'log'>): OwnAddress {
  const { publicUrl } = settings;
  if (publicUrl !== undefined) return () => publicUrl.replace(/\/+$/, '');
  const isTrusted = proxyAddr.compile(settings.trustProxy);
  let warned = false;

  return (request) => {
    const { localAddress, localPort, remoteAddress } = request.socket;
    const protocol = request.protocol === 'https' ? 'https' : 'http';
    const { host } = request;
    const hostname = hostnameOf(host);
    const own = localAddress === undefined ? undefined : hostOf(localAddress);
    if (
      hostname !== undefined &&
      (isLoopback(hostname) ||
        hostname === own ||
        (remoteAddress !== undefined && isTrusted(remoteAddress, 0)))
    ) {
      return `${protocol}://${host}`;
    }
    if (!warned) {
      warned = true;
      log.warn(
        { host: host.slice(0, 255) },
        'links use the local address, because the host of requests is not trusted; set REDPEN_PUBLIC_URL or REDPEN_TRUST_PROXY',
      );
    }
    return own === undefined ? '' : `${protocol}://${own}:${localPort}`;
  };
}

/** An address in the form of URLs. IPv4 addresses are mapped into IPv6 on dual-stack sockets. */
function hostOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname : plain;
}
