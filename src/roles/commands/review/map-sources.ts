import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decoded } from '../../../lib/text/decoded.ts';
import type { Report, ReportFinding } from '../../../report/report.ts';

interface SourceRule {
  /** Regular expression for the address of a page. */
  url: string;
  /** Path of its source; `$1` stands for the first group. */
  file: string;
}

/**
 * Adds to each finding the file from which its page is made, and the line that holds the quoted words. Addresses are
 * tried whole and as path, as they are and decoded; files that do not exist are passed over.
 */
export function mapSources(report: Report, rules: readonly SourceRule[], folder: string): Report {
  if (rules.length === 0) return report;
  const patterns = rules.map(({ url, file }) => ({ pattern: new RegExp(url), file }));
  const texts = new Map<string, string>();
  const fileOf = (pageUrl: string): string | undefined => {
    const path = URL.parse(pageUrl)?.pathname ?? pageUrl;
    for (const { pattern, file } of patterns) {
      const match = pattern.exec(pageUrl) ?? pattern.exec(path);
      if (!match) continue;
      const nameBy = (read: (text: string) => string) =>
        file.replace(/\$(\d)/g, (_, group: string) => read(match[Number(group)] ?? ''));
      const name = [nameBy((text) => text), nameBy(decoded)].find((one) => isFile(join(folder, one)));
      if (name !== undefined) return name;
    }
    return undefined;
  };
  const sourceOf = (finding: ReportFinding): ReportFinding['source'] => {
    const file = fileOf(finding.pageUrl);
    if (file === undefined) return undefined;
    let text = texts.get(file);
    if (text === undefined) {
      text = readText(join(folder, file));
      texts.set(file, text);
    }
    const line = lineOf(text, finding);
    return line === undefined ? { file } : { file, line };
  };
  return {
    ...report,
    findings: report.findings.map((finding) => {
      const source = sourceOf(finding);
      return source === undefined ? finding : { ...finding, source };
    }),
  };
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Empty for a file that this user may not read: its name is still of use. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Line of the quoted words, or of the address of a link, from 1. Undefined if the source does not have them. */
function lineOf(text: string, { targetText, occurrence, url, pageUrl }: ReportFinding): number | undefined {
  const path = url === undefined ? '' : (URL.parse(url, pageUrl)?.pathname ?? '');
  const at = [
    nthIndex(text, targetText, occurrence),
    url === undefined ? -1 : text.indexOf(url),
    path.length > 1 ? text.indexOf(path) : -1,
  ].find((index) => index >= 0);
  return at === undefined ? undefined : text.slice(0, at).split('\n').length;
}

/** Where words begin; white space may differ, as source code is wrapped. -1 if there are none. */
function nthIndex(text: string, words: string, occurrence: number): number {
  const parts = words.split(/\s+/).filter(Boolean).map(escapePattern);
  if (parts.length === 0) return -1;
  const found = [...text.matchAll(new RegExp(parts.join('\\s+'), 'g'))];
  // The source may quote words that the page shows once.
  return (found[occurrence - 1] ?? found[0])?.index ?? -1;
}

const escapePattern = (word: string): string => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
