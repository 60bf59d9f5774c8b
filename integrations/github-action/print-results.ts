// Prints what a workflow gets from a finished review:
//   node print-results.ts outputs|annotations FOLDER/report.json
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Report } from '../../src/report/report.ts';
import { annotationsOf } from './annotations.ts';

/** Outputs of the action, as lines of GITHUB_OUTPUT. None of the values comes from a page. */
export function outputsOf({ verdict, findings, fixed, gate }: Report): string[] {
  const open = findings.filter(({ ignored }) => ignored === undefined);
  const outputs = {
    verdict: /^[a-z_]{1,50}$/.test(verdict) ? verdict : 'unknown',
    findings: open.length,
    new: open.filter(({ state }) => state === 'new').length,
    fixed: fixed.length,
    failing: open.filter(({ failsGate }) => failsGate).length,
    passed: gate?.passed ?? true,
  };
  return Object.entries(outputs).map(([name, value]) => `${name}=${value}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [what, file = 'report.json'] = process.argv.slice(2);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const lines = what === 'annotations' ? annotationsOf(report) : outputsOf(report);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
