import { stripVTControlCharacters } from 'node:util';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Marked, type Tokens } from 'marked';
import { expect, test } from 'vitest';
import { arbitraryReport, nastyReport } from './fixtures/arbitrary-report.ts';
import { emptyReport, usualReport } from './fixtures/sample-report.ts';
import { strictAddress, webAddress } from './page-address.ts';
import { oneLine, visibleText } from './plain-text.ts';
import { reportFormats } from './registry/report-formats.ts';
import { MARKDOWN_MARKER, MOST_MARKDOWN_BYTES } from './render-markdown.ts';
import type { Report } from './report.ts';
import { widthOf } from './terminal-width.ts';

const check = (holds: (report: Report) => void, runs = 150) => {
  for (const report of [emptyReport(), usualReport(), nastyReport()]) holds(report);
  fc.assert(fc.property(arbitraryReport, holds), { numRuns: runs });
};

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/;
const FORBIDDEN_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

test('text has lines that fit, no control characters, and escape codes only for colors', () => {
  check((report) => {
    for (const columns of [40, 80, 120]) {
      const text = reportFormats.text.render(report, { columns });
      expect(text).not.toMatch(CONTROL);
      expect(text.isWellFormed()).toBe(true);
      expect(text.endsWith('\n')).toBe(true);
      expect(text.split('\n').filter((line) => widthOf(line) > columns)).toEqual([]);
      const colored = reportFormats.text.render(report, { columns, colors: true });
      expect(stripVTControlCharacters(colored)).toBe(text);
    }
  }, 60);
});

test('json is the data of the report', () => {
  check((report) => {
    const text = reportFormats.json.render(report, {});
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(report)));
    expect(text.endsWith('\n')).toBe(true);
  });
});

test('junit is well-formed XML', () => {
  check((report) => {
    const xml = reportFormats.junit.render(report, {});
    expect(xml).not.toMatch(FORBIDDEN_IN_XML);
    expect(XMLValidator.validate(xml)).toBe(true);
  });
});

test('junit gives the words of a finding back', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => ['testsuite', 'testcase'].includes(name),
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
  });
  check((report) => {
    const suites = (parser.parse(reportFormats.junit.render(report, {})).testsuites.testsuite ??
      []) as unknown as { testcase: { failure?: { '#text': string } }[] }[];
    const texts = suites.flatMap(({ testcase }) =>
      testcase.flatMap(({ failure }) => (failure ? [failure['#text']] : [])),
    );
    const counted = report.findings.filter(({ ignored }) => !ignored);
    expect(texts.length).toBe(counted.length);
    // A description that repeats the title stands there once, on one line.
    const all = oneLine(texts.join('\n'));
    for (const { description } of counted) expect(all).toContain(oneLine(description));
  });
});

test('sarif and codequality are JSON', () => {
  check((report) => {
    for (const format of [reportFormats.sarif, reportFormats.codequality])
      expect(() => JSON.parse(format.render(report, {}))).not.toThrow();
  });
});

test('csv is read back as the same fields', () => {
  check((report) => {
    const csv = reportFormats.csv.render(report, {});
    const rows: Record<string, string>[] = parseCsv(csv, {
      bom: true,
      columns: true,
      record_delimiter: '\r\n',
    });
    expect(rows.length).toBe(report.findings.length);
    for (const [at, finding] of report.findings.entries()) {
      const row = rows[at]!;
      const expected = {
        title: finding.title,
        description: finding.description,
        suggestion: finding.suggestion,
        page: finding.pageUrl,
        selector: finding.htmlSelector,
        issue_type: finding.issueType,
        address: finding.url ?? '',
      };
      for (const [column, value] of Object.entries(expected)) {
        const text = visibleText(value);
        // An apostrophe comes before what would be a formula.
        expect(row[column]!.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
      }
      expect(row.number).toBe(String(finding.number));
      expect(Object.values(row).filter((field) => /^[=+\-@\t\r\n]/.test(field))).toEqual([]);
    }
  });
});

/** The tags that a Markdown report has. */
const OWN_HTML = /<!-- redpen-report -->|<\/?details>|<\/?summary>|<\/?code>|<\/?sub>|<br>/g;
const LINK = /\]\(<https?:\/\/[^\s<>]*>\)/g;

const marked = new Marked({ gfm: true });

test('markdown contains no markup, link or mention of a page', () => {
  check((report) => {
    const markdown = reportFormats.markdown.render(report, {});
    expect(markdown.startsWith(`${MARKDOWN_MARKER}\n`)).toBe(true);
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MOST_MARKDOWN_BYTES);
    expect(markdown).not.toMatch(CONTROL);
    const rest = markdown.replaceAll(OWN_HTML, '').replaceAll(LINK, ']');
    expect(rest).not.toContain('<');
    const shown = marked
      .parse(markdown, { async: false })
      .replaceAll(/<code>.*?<\/code>|<[^>]*>/gs, ' ')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    expect(shown).not.toMatch(/[@#!~%$][\p{L}\p{N}_]|\bGH-\d|:\/\/|www\./iu);
  });
});

test('markdown links only to pages of the report, and its tables keep their shape', () => {
  check((report) => {
    const tokens = marked.lexer(reportFormats.markdown.render(report, {}));
    const known = [...report.pages.map(({ url }) => url), ...report.findings, ...report.fixed].map((page) =>
      typeof page === 'string' ? page : page.pageUrl,
    );
    const addresses = new Set(
      known.flatMap((url) => {
        const address = webAddress(url);
        return address ? strictAddress(address) : [];
      }),
    );
    void marked.walkTokens(tokens, (token) => {
      if (token.type === 'image') expect.fail(`an image: ${token.raw}`);
      if (token.type === 'heading') expect(token.depth).toBe(3);
      if (token.type === 'code' || token.type === 'blockquote') expect.fail(`a block: ${token.raw}`);
      if (token.type === 'link') {
        const { href } = token as Tokens.Link;
        expect(addresses).toContain(href.replaceAll('&amp;', '&'));
      }
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        expect(rows.filter(({ length }) => length !== header.length)).toEqual([]);
      }
    });
    const html = marked.parser(tokens);
    expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
  }, 80);
});
