import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { type AllowList, parseAllowList, stripTrailingDots, unwrapMapped } from './allow-list.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Reason to refuse a URL, for validators and logs. The sender of a URL must not learn it. */
export type UrlRefusal = 'not-a-url' | 'scheme' | 'userinfo' | 'port' | 'host';

/** The message for a refused host and for one that does not answer: it must reveal nothing about the internal network. */
export const UNREACHABLE = 'The address could not be reached.';

/** A refusal at the time of connecting. */
export class GuardRefusal extends Error {
  override name = 'GuardRefusal';
  readonly code = 'REFUSED_HOST';
  readonly why: UrlRefusal;

  constructor(why: UrlRefusal) {
    super(UNREACHABLE);
    this.why = why;
  }
}

export class ConnectTimeout extends Error {
  override name = 'ConnectTimeout';
  readonly code = 'CONNECT_TIMEOUT';
}

/** Returns the reason to refuse a URL, as far as it shows without DNS; undefined if the URL may be tried. */
export type CheckUrl = (url: string) => UrlRefusal | undefined;

export interface Guard {
  checkUrl(url: string | URL): ReturnType<CheckUrl>;
  /** Resolves and checks a host, and opens a TCP connection pinned to an address that was checked. */
  dial(hostname: string, port: number, options?: DialOptions): Promise<Socket>;
  /**
   * True if the certificate of the URL's host is not verified, since the operator has named it. Undefined if there is no
   * such host.
   */
  trustsCertificateOf?: ((url: string) => boolean) | undefined;
  /** `dial` as a connector for undici, with TLS for `https:`. */
  connect: buildConnector.connector;
}

export interface DialOptions {
  signal?: AbortSignal;
  /** Refuses every host that is not on the allow list, as at a port that is closed by default. */
  exemptOnly?: boolean;
}

/** A host that was refused for being internal, or for a port that is closed by default. */
export interface Refused {
  hostname: string;
  port: number;
  why: 'host' | 'port';
}

export interface GuardOptions {
  /** Exempted hosts. An allow list may change; it is consulted for each URL and connection. */
  allowHosts: string[] | AllowList;
  /** Hosts whose certificates are not verified. */
  trustCertificates?: string[];
  onRefused?: (refused: Refused) => void;
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>;
  connectTimeoutMs?: number;
}

/**
 * The SSRF guard: every outbound connection to an address that a caller or a page has named passes it, from the fetch,
 * the browser's egress proxy, the validators and MCP.
 *
 * DNS rebinding is prevented by checking at the time of connecting: a name is resolved once, all of its addresses are
 * checked, and the socket is opened to those addresses, so that no second lookup can answer differently.
 */
export function createGuard({
  allowHosts,
  trustCertificates = [],
  onRefused = () => {},
  resolve = resolveBySystem,
  connectTimeoutMs = 10_000,
}: GuardOptions): Guard {
  const allowList = Array.isArray(allowHosts) ? parseAllowList(allowHosts) : allowHosts;
  const tls = createTls(trustCertificates, connectTimeoutMs);

  function checkTarget(hostname: string, port: number, exemptOnly = false): UrlRefusal | undefined {
    const why = isInternalName(hostname) ? 'host' : exemptOnly || isServicePort(port) ? 'port' : undefined;
    const literal = literalOf(hostname);
    if (literal) {
      if (allowList.allowsAddress(literal, port)) return undefined;
      return isPublic(literal) ? why : 'host';
    }
    // An exempted range is checked in `dial`, where the name's addresses are known.
    return !why || allowList.allowsName(hostname, port) || allowList.hasAddresses(port) ? undefined : why;
  }

  /** All addresses must pass: with a mix, it would depend on which one is tried first. */
  function checkAddresses(hostname: string, port: number, addresses: ResolvedAddress[], exemptOnly = false) {
    if (allowList.allowsName(hostname, port)) return;
    const mustBeExempt = exemptOnly || isInternalName(hostname) || isServicePort(port);
    for (const { address } of addresses) {
      if (!isIP(address)) throw new GuardRefusal('host');
      const ip = unwrapMapped(ipaddr.parse(address));
      if (!allowList.allowsAddress(ip, port) && (mustBeExempt || !isPublic(ip))) {
        throw new GuardRefusal('host');
      }
    }
  }

  const dial: Guard['dial'] = async (asked, port, options = {}) => {
    const hostname = hostnameOf(asked);
    try {
      return await dialChecked(hostname, port, options);
    } catch (error) {
      if (error instanceof GuardRefusal) reportRefusal(hostname, port, error.why);
      throw error;
    }
  };

  function reportRefusal(hostname: string, port: number, why: UrlRefusal) {
    if (why === 'host' || why === 'port') onRefused({ hostname, port, why });
  }

  async function dialChecked(hostname: string, port: number, options: DialOptions) {
    const refusal = checkTarget(hostname, port, options.exemptOnly);
    if (refusal) throw new GuardRefusal(refusal);

    const deadline = performance.now() + connectTimeoutMs;
    const isLiteral = isIP(hostname) !== 0;
    const addresses = isLiteral
      ? [{ address: hostname, family: isIP(hostname) }]
      : await withConnectTimeout(resolve(hostname), connectTimeoutMs, options.signal);
    if (addresses.length === 0) throw Object.assign(new Error('No address'), { code: 'ENOTFOUND' });
    if (!isLiteral) checkAddresses(hostname, port, addresses, options.exemptOnly);
    const socket = await openSocket(addresses, port, deadline - performance.now(), options.signal);
    if (!addresses.some(({ address }) => isSameAddress(address, socket.remoteAddress))) {
      socket.destroy();
      throw new GuardRefusal('host');
    }
    return socket;
  }

  const connect: buildConnector.connector = (options, callback) => {
    const isTls = options.protocol === 'https:';
    const hostname = hostnameOf(options.hostname);
    const port = Number(options.port) || (isTls ? 443 : 80);
    dial(hostname, port).then(
      (socket) => {
        if (!isTls) return callback(null, socket);
        const servername = isIP(hostname) ? undefined : stripTrailingDots(hostname);
        tls.upgrade(hostname, port)({ ...options, hostname, servername, httpSocket: socket }, callback);
      },
      (error: Error) => callback(error, null),
    );
  };

  return {
    checkUrl(input) {
      const url = typeof input === 'string' ? URL.parse(input) : input;
      if (!url) return 'not-a-url';
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
      if (url.username !== '' || url.password !== '') return 'userinfo';
      const hostname = hostnameOf(url.hostname);
      const why = checkTarget(hostname, portOf(url));
      if (why) reportRefusal(hostname, portOf(url), why);
      return why;
    },
    dial,
    connect,
    trustsCertificateOf: tls.trustsCertificateOf,
  };
}

const literalOf = (hostname: string) => (isIP(hostname) ? unwrapMapped(ipaddr.parse(hostname)) : undefined);

/** TLS for connections of the guard, which verifies certificates except of the hosts that the operator has named. */
function createTls(trustCertificates: string[], timeout: number) {
  const options = { allowH2: false, timeout };
  const verified = buildConnector(options);
  // A connector of its own, so that no other connection resumes the sessions of one without a check.
  const unverified = buildConnector({ ...options, rejectUnauthorized: false });
  const trusted = parseAllowList(trustCertificates);
  const trusts = (hostname: string, port: number): boolean => {
    const literal = literalOf(hostname);
    return literal ? trusted.allowsAddress(literal, port) : trusted.allowsName(hostname, port);
  };
  const trustsCertificateOf = (address: string): boolean => {
    const url = URL.parse(address);
    return url !== null && trusts(hostnameOf(url.hostname), portOf(url));
  };
  return {
    upgrade: (hostname: string, port: number) => (trusts(hostname, port) ? unverified : verified),
    trustsCertificateOf: trustCertificates.length > 0 ? trustsCertificateOf : undefined,
  };
}

export const portOf = (url: URL) => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/** True for an address of the public internet; ranges that no registry has assigned yet are not part of it. */
export function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip.range() !== 'unicast') return false;
  if (ip instanceof ipaddr.IPv4) return !HOST_AGENTS.has(ip.toString());
  return ip.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses in public ranges at which clouds answer from inside the machine, such as Azure's host agent. */
const HOST_AGENTS = new Set(['168.63.129.16']);

const INTERNAL_NAMES =
  /^(.*\.)?(localhost|localdomain|local|internal|intranet|lan|home\.arpa|svc)$|^(metadata|instance-data)$|^metadata\.goog$/;

const isInternalName = (hostname: string) => INTERNAL_NAMES.test(hostname);

/** Ports from 1024 up of databases, queues and control planes that speak HTTP, or misbehave when they get it. */
const SERVICE_PORTS = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060,
  5061, 5432, 5433, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 7000, 7001, 7199, 8086, 8300, 8301, 8302, 8500, 8600, 9042, 9092, 9160, 9200, 9300,
  10080, 10250, 10255, 10256, 11211, 15672, 26257, 27017, 27018, 27019, 28017, 50070, 61616,
]);

const isServicePort = (port: number) => (port < 1024 ? port !== 80 && port !== 443 : SERVICE_PORTS.has(port));

export const hostnameOf = (hostname: string) =>
  stripTrailingDots(hostname.replace(/^\[|\]$/g, '').toLowerCase());

/** Resolves a name with the system's resolver, to all of its addresses. */
export const resolveBySystem = (hostname: string): Promise<ResolvedAddress[]> =>
  systemLookup(hostname, { all: true, order: 'verbatim' });

function isSameAddress(wanted: string, actual: string | undefined) {
  if (actual === undefined) return false;
  return unwrapMapped(ipaddr.parse(wanted)).toString() === unwrapMapped(ipaddr.parse(actual)).toString();
}

/** Limits DNS to the connect timeout, so that a resolver that never answers costs no more than a dead host. */
export function withConnectTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ConnectTimeout('Timed out')), timeoutMs);
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  });
}

/** Connects to the checked addresses only: the lookup answers from the list, so that no name is resolved again. */
function openSocket(
  addresses: ResolvedAddress[],
  port: number,
  timeoutMs: number,
  signal: AbortSignal | undefined,
) {
  const pinned: LookupFunction = (_hostname, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
  return new Promise<Socket>((resolve, reject) => {
    const single = addresses.length === 1 ? addresses[0] : undefined;
    const socket = netConnect({
      port,
      noDelay: true,
      keepAlive: true,
      ...(single
        ? { host: single.address }
        : {
            host: 'pinned.invalid',
            lookup: pinned,
            autoSelectFamily: true,
            autoSelectFamilyAttemptTimeout: 1000,
          }),
    });
    // It is never removed: a reset before the caller adds its own listener would otherwise end the process.
    socket.on('error', () => {});
    const fail = (error: Error) => {
      finish();
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(signal?.reason);
    const timer = setTimeout(() => fail(new ConnectTimeout('Timed out')), Math.max(1, timeoutMs));
    const finish = () => {
      clearTimeout(timer);
      socket.off('error', fail);
      signal?.removeEventListener('abort', abort);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      finish();
      resolve(socket);
    });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}
