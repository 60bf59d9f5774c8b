import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';

const SANE_HOST = /^[\w.:[\]-]{1,255}$/;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Answers the address at which the caller of a request finds this service, without a slash at its end. */
export type OwnAddress = (request: FastifyRequest) => string;

/**
 * The public address of the settings. Without it, a host that the request names is believed where no stranger can
 * have chosen it: it comes from a trusted proxy, or leads to loopback, or is the address that the request came
 * in at. Otherwise it is that address, since what is signed must not lead to a host of a stranger's choice.
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
    const hostname = SANE_HOST.test(host) ? URL.parse(`${protocol}://${host}`)?.hostname : undefined;
    const own = localAddress === undefined ? undefined : hostOf(localAddress);
    if (
      hostname !== undefined &&
      (LOOPBACK.test(hostname) ||
        hostname === own ||
        (remoteAddress !== undefined && isTrusted(remoteAddress, 0)))
    ) {
      return `${protocol}://${host}`;
    }
    if (!warned) {
      warned = true;
      log.warn(
        { host: host.slice(0, 255) },
        'links lead to the address that requests come in at, since their host is not believed; set REDPEN_PUBLIC_URL, or REDPEN_TRUST_PROXY',
      );
    }
    return own === undefined ? '' : `${protocol}://${own}:${localPort}`;
  };
}

/** As a URL names it. An IPv4 client of a socket that takes both has a mapped address. */
function hostOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname : plain;
}
