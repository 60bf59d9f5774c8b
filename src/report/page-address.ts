import { oneLine } from './plain-text.ts';
import type { Report } from './report.ts';

/** The origin of a web address; undefined if the text is none. */
export const originOf = (url: string): string | undefined => webAddress(url)?.origin;

/** A parsed http(s) address. */
export function webAddress(url: string): URL | undefined {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : undefined;
}

/** Escapes what browsers allow after the host of an address and RFC 3986 does not. */
export const escapeUri = (uri: string): string =>
  uri
    .replaceAll(/[^\w.~:/?#@!$&'()*+,;=%-]/g, (character) => encodeURIComponent(character))
    .replaceAll(/%(?![\dA-Fa-f]{2})/g, '%25')
    .replaceAll(/(?<=#.*)#/g, '%23');

/** An address as RFC 3986 wants it, without credentials. */
export const strictAddress = ({ origin, pathname, search, hash }: URL): string =>
  origin + escapeUri(pathname + search + hash);

/** The origins of a report's pages and start addresses, in their order. */
export const originsOf = ({ urls, pages, findings }: Report): string[] => [
  ...new Set(
    [...urls, ...pages.map(({ url }) => url), ...findings.map(({ pageUrl }) => pageUrl)].flatMap(
      (url) => originOf(url) ?? [],
    ),
  ),
];

/** The path of a page with its query, as people read it. */
export function readablePath(url: string): string {
  const parsed = webAddress(url);
  if (!parsed) return oneLine(url);
  const path = parsed.pathname + parsed.search + parsed.hash;
  try {
    return oneLine(decodeURI(path));
  } catch {
    return oneLine(path);
  }
}

/** Names pages by their path if all have one origin, and by their address otherwise. */
export const pageNamer = (report: Report): ((url: string) => string) =>
  originsOf(report).length > 1 ? oneLine : readablePath;
