import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { arbitraryReport, nastyReport } from './fixtures/arbitrary-report.ts';
import { emptyReport, SITE, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import { renderJunit } from './render-junit.ts';
import type { Report } from './report.ts';

/** An element with its children in their order, as the parser gives it with `preserveOrder`. */
type Element = Record<string, Element[] | Record<string, string> | string>;

/**
 * The schema of Jenkins' xUnit plugin (junit-10.xsd): the attributes of each element, of which those with `!` are
 * required, and its children. All of ours may occur any number of times and in any order.
 */
const SCHEMA: Record<string, { attributes: string[]; children: string[] }> = {
  testsuites: { attributes: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    attributes: [
      ...['name!', 'tests!', 'failures!', 'errors!', 'group', 'time', 'skipped', 'timestamp', 'hostname'],
      ...['id', 'package', 'file', 'log', 'url'],
    ],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    attributes: ['name!', 'time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['type', 'message'], children: ['#text'] },
  error: { attributes: ['type', 'message'], children: ['#text'] },
  skipped: { attributes: ['type', 'message'], children: ['#text'] },
};
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
});

function violationsOf(element: Element): string[] {
  const [name = ''] = Object.keys(element).filter((key) => key !== ':@');
  if (name === '#text' || name === '?xml') return [];
  const rule = SCHEMA[name];
  if (!rule) return [`an element ${name}`];
  const attributes = (element[':@'] ?? {}) as Record<string, string>;
  const known = rule.attributes.map((attribute) => attribute.replace('!', ''));
  const children = element[name] as Element[];
  return [
    ...Object.keys(attributes)
      .filter((attribute) => !known.includes(attribute))
      .map((attribute) => `${name} has ${attribute}`),
    ...rule.attributes
      .filter((attribute) => attribute.endsWith('!') && !attributes[attribute.slice(0, -1)])
      .map((attribute) => `${name} lacks ${attribute}`),
    ...(attributes.time && !TIME.test(attributes.time) ? [`time is ${attributes.time}`] : []),
    ...children
      .flatMap((child) => Object.keys(child).filter((key) => key !== ':@'))
      .filter((child) => !rule.children.includes(child))
      .map((child) => `${name} contains ${child}`),
    ...children.flatMap(violationsOf),
  ];
}

const everyReport = (holds: (report: Report) => void) => {
  for (const report of [emptyReport(), usualReport(), nastyReport()]) holds(report);
  fc.assert(fc.property(arbitraryReport, holds), { numRuns: 100 });
};

test('a report keeps the schema of Jenkins', () => {
  everyReport((report) => {
    const roots: Element[] = parser.parse(renderJunit(report));
    expect(roots.flatMap(violationsOf)).toEqual([]);
  });
});

const casesOf = (xml: string): [className: string, name: string][] =>
  Array.from(xml.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g), ([, name, className]) => [
    className!,
    name!,
  ]);

test('no two test cases have the same class and name, and the counts are right', () => {
  everyReport((report) => {
    const xml = renderJunit(report);
    const cases = casesOf(xml).map((pair) => pair.join('\n'));
    expect(new Set(cases).size).toBe(cases.length);
    const [, tests, failures, errors] =
      /<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml) ?? [];
    expect(Number(tests)).toBe(cases.length);
    expect(Number(failures)).toBe(xml.match(/<failure /g)?.length ?? 0);
    expect(Number(errors)).toBe(xml.match(/<error /g)?.length ?? 0);
  });
});

test('a test case keeps its name while the words of its finding change', () => {
  const namesOf = (fields: Parameters<typeof sampleFinding>[0]) =>
    casesOf(renderJunit({ ...usualReport(), findings: [sampleFinding(fields)] }));
  expect(namesOf({ title: 'One', description: 'One', severity: 'low', number: 9 })).toEqual(
    namesOf({ title: 'Two', description: 'Two', severity: 'high', number: 1 }),
  );
  expect(namesOf({})).toContainEqual(['shop_example_com./', `Broken link [${sampleFinding().id}]`]);
});

test('a page without findings passes, one that failed is an error, and what is ignored is skipped', () => {
  const xml = renderJunit(usualReport());
  expect(xml).toContain(
    '<testcase name="The page is reviewed" classname="shop_example_com./" time="0.000"/>',
  );
  expect(xml).toMatch(/classname="shop_example_com\.\/slow"[^>]*>\s*<error type="page-failed"/);
  expect(xml).toMatch(/classname="shop_example_com\.\/manual_pdf"[^>]*>\s*<skipped message/);
  expect(xml).toContain('<skipped message="low: Unknown word “Zyxel” — Ada rejected it: It is a brand."/>');
  expect(xml).toMatch(/name="Tone of voice"[^>]*>\s*<error type="agent-failed" message="No model is/);
});

test('a page that one of its agents could not review is an error of that agent', () => {
  const problems = [{ agentId: 'tone', message: 'The model gave no answer' }];
  const report = usualReport();
  const xml = renderJunit({ ...report, pages: [{ url: `${SITE}/`, status: 'reviewed', problems }] });
  expect(xml).toMatch(
    /name="Tone of voice reviews the page"[^>]*>\s*<error type="agent-failed" message="The model gave no answer\."/,
  );
});

test('a report without pages is a suite for itself', () => {
  expect(renderJunit(emptyReport())).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Redpen" time="12.345" tests="0" failures="0" errors="0">\n</testsuites>\n',
  );
});
