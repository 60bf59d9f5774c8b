import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { emptyReport, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import { renderCsv } from './render-csv.ts';

const HEADER =
  'number,severity,page,title,description,suggestion,text,address,status_code,issue_type,category,confidence,' +
  'state,ignored,decision,decided_by,reason,fails_gate,agents,selector,html,source,cause,id';

test('a report without findings is a header', () => {
  expect(renderCsv(emptyReport())).toBe(`\ufeff${HEADER}\r\n`);
});

test('a row has the fields of a finding', () => {
  const rows: Record<string, string>[] = parse(renderCsv(usualReport()), { bom: true, columns: true });
  expect(rows[0]).toMatchObject({
    severity: 'critical',
    category: 'secrets',
    source: 'src/pages/products.astro:12',
    fails_gate: 'yes',
    state: 'new',
  });
  expect(rows.at(-2)).toMatchObject({ ignored: 'decision', decided_by: 'Ada', reason: 'It is a brand.' });
});

test('quotes, commas and line breaks are quoted as RFC 4180 wants it', () => {
  const findings = [sampleFinding({ title: 'a "b", c', description: 'one\r\ntwo' })];
  expect(renderCsv(emptyReport({ findings }))).toContain(',"a ""b"", c","one\ntwo",');
});

test('a text that a spreadsheet would compute begins with an apostrophe', () => {
  const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\uff1d1', '=HYPERLINK("https://evil.example/")'];
  for (const title of texts) {
    const csv = renderCsv(emptyReport({ findings: [sampleFinding({ title })] }));
    expect(parse(csv, { bom: true, columns: true })[0]).toMatchObject({ title: `'${title}` });
  }
});

test('a formula does not begin within a text either, where semicolons separate fields', () => {
  const title = 'a;=1+1 b; @SUM(A1)\n-1\n\n\uff1d1; c = d';
  const csv = renderCsv(emptyReport({ findings: [sampleFinding({ title })] }));
  // As Excel reads it in German: without regard to quotes that do not surround a whole field.
  const fields = csv.split(/[;\n]/).map((field) => field.trim());
  expect(fields.filter((field) => /^[=+\-@\uff1d]/.test(field))).toEqual([]);
  expect(parse(csv, { bom: true, columns: true })[0]).toMatchObject({
    title: "a;'=1+1 b;' @SUM(A1)\n'-1\n\n'\uff1d1; c = d",
  });
});
