import { isIP } from 'node:net';
import type { RedirectChain } from './follow-redirects.ts';
import type { Fault } from './link-fault.ts';
import type { PageLink, PageLinks } from './page/page-links.ts';

/** Finds out whether any host outside of the reviewed site answers at all, for one run. */
export interface OutsideReach {
  /** Takes note of the hosts that a page names. */
  learn(page: PageLinks): void;
  /** Takes note of the hosts that answered, or did not. */
  note(chain: RedirectChain): void;
  hasAnswered(url: string): boolean;
  /** True once `isSilent` has come to that verdict, which stands for the rest of the run. */
  isKnownSilent(): boolean;
  /**
   * True if no host outside answers: each one that was asked failed, twice, and these are at least three, or all that
   * a site in an internal network names.
   */
  isSilent(ask: Ask): Promise<boolean>;
}

/** Requests an address; with `again`, although it was requested before. */
export type Ask = (url: string, again: boolean) => Promise<RedirectChain>;

/** Failed hosts that suffice to tell an unreachable network from dead hosts. */
const ENOUGH = 3;
/** Hosts that are asked before all of them count as unreachable. */
const SAMPLE = 20;
const SECOND_ROUND = 5;
const MAX_HOSTS = 5_000;

export function createOutsideReach(): OutsideReach {
  /** An address of each host, and whether a request for it failed. */
  const hosts = new Map<string, { url: string; failed: boolean }>();
  const answered = new Set<string>();
  const known = new WeakSet<PageLinks>();
  let isInternalSite = true;
  let verdict: Promise<boolean> | undefined;
  let isSilent = false;

  const note = ({ redirects, final }: RedirectChain) => {
    for (const { url } of redirects) markAnswered(url);
    if (!isUnreachable(final.failure)) return final.failure === undefined && markAnswered(final.url);
    const host = hosts.get(new URL(final.url).host);
    if (host) host.failed = true;
  };
  const markAnswered = (url: string) => {
    const { host } = new URL(url);
    if (hosts.has(host)) answered.add(host);
  };

  const decide = async (ask: Ask): Promise<boolean> => {
    const unasked = [...hosts.values()].filter(({ failed }) => !failed).slice(0, SAMPLE);
    for (const chain of await Promise.all(unasked.map(({ url }) => ask(url, false)))) note(chain);
    const failed = [...hosts.values()].filter((host) => host.failed);
    const isEnough = failed.length >= ENOUGH || (isInternalSite && failed.length === hosts.size);
    if (answered.size > 0 || failed.length === 0 || !isEnough) return false;
    const again = failed.slice(0, SECOND_ROUND);
    for (const chain of await Promise.all(again.map(({ url }) => ask(url, true)))) note(chain);
    return answered.size === 0;
  };

  return {
    learn(page) {
      if (known.has(page)) return;
      known.add(page);
      if (!isInternalHost(page.finalUrl)) isInternalSite = false;
      for (const link of page.links) {
        if (!isOutside(link) || hosts.size >= MAX_HOSTS) continue;
        const { host } = new URL(link.url);
        if (!hosts.has(host)) hosts.set(host, { url: link.url, failed: false });
      }
    },
    note,
    isKnownSilent: () => isSilent,
    hasAnswered: (url) => answered.has(new URL(url).host),
    async isSilent(ask) {
      if (answered.size > 0 || isSilent) return isSilent;
      // Pages that ask at the same time share the answer.
      verdict ??= decide(ask).finally(() => {
        verdict = undefined;
      });
      isSilent = await verdict;
      return isSilent;
    },
  };
}

// Some networks let every connection to the outside be closed.
const UNREACHABLE = new Set<string | undefined>(['dns', 'connect', 'timeout', 'reset']);

const isUnreachable = (failure: string | undefined): boolean => UNREACHABLE.has(failure);

/** True if the host of an address cannot be reached, as far as one request shows. */
export const isHostFault = ({ type, failure }: Fault): boolean =>
  type === 'timeout' || (type === 'network' && isUnreachable(failure));

/** True for a link to another host, unless that is in the internal network. */
export const isOutside = ({ url, valid, internal }: Pick<PageLink, 'url' | 'valid' | 'internal'>): boolean =>
  valid && !internal && !isInternalHost(url);

/** True for loopback and private addresses, and for names that only an internal network knows. */
export function isInternalHost(address: string): boolean {
  const hostname = (URL.parse(address)?.hostname ?? '').replace(/^\[|\]$/g, '');
  const version = isIP(hostname);
  if (version === 4) return /^(127|10|192\.168|169\.254|0|172\.(1[6-9]|2\d|3[01]))\./.test(hostname);
  if (version === 6) return /^(::1?$|::ffff:|f[cd]|fe[89ab])/i.test(hostname);
  return (
    !hostname.includes('.') || /\.(localhost|local|internal|lan|intranet|test|home\.arpa)$/.test(hostname)
  );
}
