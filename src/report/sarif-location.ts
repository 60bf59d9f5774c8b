import { escapeUri, originsOf, webAddress } from './page-address.ts';
import { oneLine } from './plain-text.ts';
import type { Report, ReportFinding } from './report.ts';
import { repositoryPath } from './repository-path.ts';

export interface ArtifactLocation {
  uri: string;
  uriBaseId?: string;
}

/**
 * Names for the origins of a report: `SITE`, or `SITE`, `SITE_2` and so on. GitHub refuses a file with an http(s)
 * address as a location, so locations are relative to one of them.
 */
export const siteBases = (report: Report): Map<string, string> =>
  new Map(originsOf(report).map((origin, at) => [origin, at === 0 ? 'SITE' : `SITE_${at + 1}`]));

/** The file that holds the finding, or its page relative to its origin. Never empty and never absolute. */
export function artifactOf(
  { source, pageUrl }: Pick<ReportFinding, 'source' | 'pageUrl'>,
  bases: ReadonlyMap<string, string>,
): ArtifactLocation {
  if (source)
    return { uri: afterDot(escapeUri(encodeURI(repositoryPath(source.file)))), uriBaseId: '%SRCROOT%' };
  const address = webAddress(pageUrl);
  if (!address) return { uri: encodeURIComponent(oneLine(pageUrl)) || 'unknown' };
  const { pathname, search, hash, origin } = address;
  const base = bases.get(origin);
  return { uri: afterDot(escapeUri(pathname.slice(1) + search + hash)), ...(base && { uriBaseId: base }) };
}

/** A `.` before what would otherwise be empty, an absolute path, or a scheme. */
const afterDot = (uri: string): string =>
  uri === '' || /^[/?#]/.test(uri) || /^[^/?#]*:/.test(uri) ? `./${uri}` : uri;
