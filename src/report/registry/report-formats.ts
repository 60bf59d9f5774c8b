import type { FormatEntry, ReportFormat } from '../formats.ts';
import { renderHtml } from '../html/render-html.ts';
import { renderCodeQuality } from '../render-code-quality.ts';
import { renderCsv } from '../render-csv.ts';
import { renderJson } from '../render-json.ts';
import { renderJunit } from '../render-junit.ts';
import { renderMarkdown } from '../render-markdown.ts';
import { renderSarif } from '../render-sarif.ts';
import { renderText } from '../render-text.ts';

/** The formats. They are listed in a folder of their own, because `html/` imports files of the folder above. */
export const reportFormats: Readonly<Record<ReportFormat, FormatEntry>> = {
  text: { fileName: 'report.txt', mimeType: 'text/plain; charset=utf-8', render: renderText },
  json: { fileName: 'report.json', mimeType: 'application/json', render: renderJson },
  html: { fileName: 'report.html', mimeType: 'text/html; charset=utf-8', render: renderHtml },
  junit: { fileName: 'report.xml', mimeType: 'application/xml', render: renderJunit },
  sarif: { fileName: 'report.sarif', mimeType: 'application/sarif+json', render: renderSarif },
  markdown: { fileName: 'report.md', mimeType: 'text/markdown; charset=utf-8', render: renderMarkdown },
  csv: { fileName: 'report.csv', mimeType: 'text/csv; charset=utf-8', render: renderCsv },
  codequality: { fileName: 'codequality.json', mimeType: 'application/json', render: renderCodeQuality },
};
