import { md5 } from '../lib/ids.ts';
import { shorten } from '../lib/text/cut-text.ts';
import type { Severity } from '../shapes/agents/execution.ts';
import { readablePath, webAddress } from './page-address.ts';
import { oneLine, sentences } from './plain-text.ts';
import { counts, type Report, type ReportFinding } from './report.ts';
import { repositoryPath } from './repository-path.ts';

const SEVERITIES: Record<Severity, string> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

const LONGEST_DESCRIPTION = 1_000;

/**
 * GitLab's Code Quality report. It has no word for ignored findings, so they are left out: GitLab compares the
 * fingerprints of two branches, and what is in both of them is not reported.
 */
export function renderCodeQuality(report: Report): string {
  const taken = new Set<string>();
  const issues = report.findings.filter(counts).map((finding) => {
    const path = pathOf(finding);
    return {
      description: shorten(sentences(finding.title, finding.description) || 'Finding.', LONGEST_DESCRIPTION),
      check_name: oneLine(finding.issueType) || 'finding',
      fingerprint: fingerprintOf(finding, taken),
      severity: SEVERITIES[finding.severity],
      location: { path, lines: { begin: finding.source?.line ?? 1 } },
    };
  });
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

/**
 * GitLab counts issues with equal fingerprints as one. The host is not part of it, since each branch may have a preview
 * on a host of its own.
 */
function fingerprintOf({ id, pageUrl }: ReportFinding, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const fingerprint = md5([id, readablePath(pageUrl), number].join('\n'));
    if (taken.has(fingerprint)) continue;
    taken.add(fingerprint);
    return fingerprint;
  }
}

/** The file that holds the finding, or the host and path of the page, which shows that it is no file. */
function pathOf({ source, pageUrl }: ReportFinding): string {
  if (source) return repositoryPath(source.file);
  const address = webAddress(pageUrl);
  return address ? oneLine(address.host + readablePath(pageUrl)) : repositoryPath(pageUrl);
}
