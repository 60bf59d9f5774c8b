import { accessSync, constants, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FormatEntry, ReportFormat } from '../../../report/formats.ts';
import { reportFormats } from '../../../report/registry/report-formats.ts';
import type { Pictures, Report } from '../../../report/report.ts';
import { type ReviewPlan, WrongUse } from './review-settings.ts';

interface Screen {
  columns?: number | undefined;
  colors: boolean;
}

/** Throws WrongUse if the files of a review could not be written, which it would otherwise find out at its end. */
export function checkPlaces({ output, baseline, updateBaseline }: ReviewPlan): void {
  if (output !== undefined) checkFolder(output, '--output');
  if (baseline !== undefined && updateBaseline) checkFolder(dirname(baseline), '--baseline');
}

/** Folders that are missing are made when they are needed. */
function checkFolder(path: string, flag: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found && dirname(path) !== path) {
    checkFolder(dirname(path), flag);
    return;
  }
  if (!found?.isDirectory()) throw new WrongUse(`${flag} needs a folder, and ${path} is none.`);
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new WrongUse(`${flag} needs a folder in which files can be written, and ${path} is none.`);
  }
}

/** Writes the files of a report, and says which one it cannot write. `isWhole` is false if there is one. */
export function writeReports(
  report: Report,
  pictures: Pictures,
  { output, files }: ReviewPlan,
  say: (text: string) => void,
): { files: string[]; isWhole: boolean } {
  if (output === undefined) return { files: [], isWhole: true };
  const written = files.flatMap((format) => {
    const path = join(output, fileOf(format).fileName);
    return tryToWrite('report', path, () => fileOf(format).render(report, { pictures }), say) ? [path] : [];
  });
  return { files: written, isWhole: written.length === files.length };
}

/** Writes a file of which other programs never see a half. Returns false, and says why, if it cannot. */
export function tryToWrite(
  what: string,
  path: string,
  textOf: () => string,
  say: (text: string) => void,
): boolean {
  // Another command may write the same file at the same time.
  const draft = `${path}.${process.pid}.new`;
  const text = textOf();
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, path);
    return true;
  } catch (error) {
    rmSync(draft, { force: true });
    say(`The ${what} ${path} could not be written: ${(error as Error).message}`);
    return false;
  }
}

/** The text for standard output. */
export const printReport = (
  report: Report,
  pictures: Pictures,
  { printed }: ReviewPlan,
  screen: Screen,
): string =>
  printed === undefined
    ? ''
    : fileOf(printed).render(report, { pictures, ...(printed === 'text' && screen) });

const fileOf = (format: ReportFormat): FormatEntry => reportFormats[format];
