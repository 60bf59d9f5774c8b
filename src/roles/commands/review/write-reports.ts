import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatEntry, ReportFormat } from '../../../report/formats.ts';
import { reportFormats } from '../../../report/registry/report-formats.ts';
import type { Pictures, Report } from '../../../report/report.ts';
import type { ReviewPlan } from './review-settings.ts';

interface Written {
  /** Text for standard output. */
  printed: string;
  /** Paths of the files. */
  files: string[];
}

interface Screen {
  columns?: number | undefined;
  colors: boolean;
}

/** Writes the files of a report, and returns what is printed. */
export function writeReports(report: Report, pictures: Pictures, plan: ReviewPlan, screen: Screen): Written {
  const { output, printed } = plan;
  const files: string[] = [];
  if (output !== undefined) {
    mkdirSync(output, { recursive: true });
    for (const format of plan.files) {
      const path = join(output, fileOf(format).fileName);
      // Programs that watch the folder never see half a report.
      writeFileSync(`${path}.new`, fileOf(format).render(report, { pictures }));
      renameSync(`${path}.new`, path);
      files.push(path);
    }
  }
  const options = { pictures, ...(printed === 'text' && screen) };
  return { files, printed: printed === undefined ? '' : fileOf(printed).render(report, options) };
}

const fileOf = (format: ReportFormat): FormatEntry => reportFormats[format];
