import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5';
import { expect, test } from 'vitest';
import type { Report, ReportFinding } from '../report.ts';
import {
  emptyReport,
  finding,
  largeReport,
  PIXEL,
  SITE,
  sitePictures,
  siteReport,
} from './fixtures/site-report.ts';
import { renderHtml } from './render-html.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

const elementsOf = (node: Node): Element[] => [
  ...(tree.isElementNode(node) ? [node] : []),
  ...('childNodes' in node ? node.childNodes.flatMap(elementsOf) : []),
];
const parsed = (report: Report, pictures = sitePictures) =>
  elementsOf(parse(renderHtml(report, { pictures })));
const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value;
const textOf = (node: Node): string =>
  tree.isTextNode(node) ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
const byId = (elements: Element[], id: string) => elements.find((one) => attribute(one, 'id') === id)!;
const withClass = (elements: Element[], name: string) =>
  elements.filter((one) => attribute(one, 'class')?.split(' ').includes(name));

test('the file has no script, and its policy allows pictures and styles of its own only', () => {
  const elements = parsed(siteReport());
  const policy = elements.find((one) => attribute(one, 'http-equiv') === 'Content-Security-Policy')!;
  expect(attribute(policy, 'content')).toBe("default-src 'none'; img-src data:; style-src 'unsafe-inline'");
  expect(elements.filter(({ tagName }) => tagName === 'script')).toEqual([]);
  expect(elements.find(({ tagName }) => tagName === 'html')).toMatchObject({
    attrs: [{ name: 'lang', value: 'en' }],
  });
  expect(textOf(elements.find(({ tagName }) => tagName === 'title')!)).toBe(
    'FAIL: 7 findings on 2 pages, example.com – Redpen',
  );
});

test.each([
  ['a site', siteReport()],
  ['no findings', emptyReport()],
  ['many findings', largeReport(300)],
])('ids are unique, links within the file lead somewhere, and headings skip no level: %s', (_, report) => {
  const elements = parsed(report);
  const ids = elements.flatMap((one) => attribute(one, 'id') ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const links = elements.flatMap((one) => attribute(one, 'href') ?? []);
  const lost = links.filter((href) => href.startsWith('#') && !ids.includes(href.slice(1)));
  expect(lost).toEqual([]);
  const levels = elements.flatMap(({ tagName }) => /^h([1-6])$/.exec(tagName)?.[1] ?? []).map(Number);
  expect(levels[0]).toBe(1);
  expect(levels.filter((level, at) => at > 0 && level > levels[at - 1]! + 1)).toEqual([]);
});

test('a pin and its finding link to each other, and the pin has a name', () => {
  const elements = parsed(siteReport());
  const pins = withClass(elements, 'pin');
  // Those of pages from top to bottom; what is elsewhere, without a place or ignored has no pin.
  expect(pins.map((pin) => textOf(pin))).toEqual(['3', '1', '2']);
  expect(attribute(pins[1]!, 'aria-label')).toBe('Finding 1: Images must have alternative text');
  expect(attribute(pins[1]!, 'href')).toBe('#finding-1');
  const card = elementsOf(byId(elements, 'finding-1'));
  expect(card.map((one) => attribute(one, 'href'))).toContain('#pin-1');
  expect(textOf(byId(elements, 'finding-4'))).toContain('Not visible in the picture');
  expect(textOf(byId(elements, 'finding-1'))).not.toContain('Not visible in the picture');
});

test('a finding shows its words, its fix, its address, its source and what fails the gate', () => {
  const elements = parsed(siteReport());
  const spelling = textOf(byId(elements, 'finding-3'));
  expect(spelling).toContain('…you will recieve a boat…');
  expect(withClass(elementsOf(byId(elements, 'finding-3')), 'copy').map(textOf)).toEqual(['receive']);
  const link = textOf(byId(elements, 'finding-2'));
  for (const part of [
    `${SITE}/gone`,
    'answers 404',
    'content/index.md:7',
    'Spell check',
    'Still there',
    'High',
  ])
    expect(link).toContain(part);
  const image = textOf(byId(elements, 'finding-1'));
  for (const part of ['<img src="/boat.png">', 'main > img', 'Fails the gate', 'New', 'hear its text'])
    expect(image).toContain(part);
  const [gate] = withClass(elements, 'gate');
  expect(textOf(gate!)).toContain('One finding is critical.');
  expect(elementsOf(gate!).flatMap((one) => attribute(one, 'href') ?? [])).toEqual(['#finding-1']);
});

test('faults of one address that need different fixes have cards of their own', () => {
  const fields = { url: `${SITE}/gone`, causeId: 'gone' };
  const findings = [
    finding(1, { ...fields, issueType: 'broken-link', suggestion: 'Remove the link.' }),
    finding(2, { ...fields, issueType: 'broken-image', suggestion: 'Restore the image.' }),
  ];
  const fixes = withClass(parsed(emptyReport({ findings })), 'fix').map(textOf);
  expect(fixes).toEqual([
    expect.stringContaining('Remove the link.'),
    expect.stringContaining('Restore the image.'),
  ]);
});

test('findings with one cause are one card with their places', () => {
  const elements = parsed(siteReport());
  const [cause] = withClass(elements, 'cause');
  expect(textOf(cause!).split('No Open Graph tags')).toHaveLength(2);
  expect(textOf(cause!)).toContain('3 places, on 2 pages');
  expect(withClass(elementsOf(cause!), 'place').map((one) => attribute(one, 'id'))).toEqual([
    'finding-5',
    'finding-6',
    'finding-7',
  ]);
});

test('what does not count is folded at the end with the decision, and not filtered', () => {
  const elements = parsed(siteReport());
  const decided = byId(elements, 'finding-9');
  expect(textOf(decided)).toContain('Rejected by Ines: It is a name.');
  expect(attribute(decided, 'class')).not.toMatch(/\bx\b/);
  const folds = withClass(elements, 'fold');
  expect(folds.map((fold) => textOf(elementsOf(fold)[1]!))).toEqual([
    'In the baseline 1 finding',
    'Decided 1 finding',
    'Agents 2',
    'Rules 1',
  ]);
  expect(folds.filter((fold) => attribute(fold, 'open') !== undefined)).toEqual([]);
});

test('each picture is in the file once, and a page whose picture is incomplete says so', () => {
  const whole = renderHtml(siteReport(), { pictures: sitePictures });
  expect(whole.split('data:image/webp').length - 1).toBe(3);
  const lacking = renderHtml(siteReport(), { pictures: new Map([['top', PIXEL]]) });
  expect(lacking).not.toContain('data:image/webp');
  expect(lacking.split('The picture of this page is not in this file.').length - 1).toBe(2);
  expect(lacking).not.toContain('class="pin');
  expect(renderHtml(siteReport(), {})).not.toContain('Not visible in the picture');
});

test('a review without findings says what it is, and has no filters', () => {
  const report = emptyReport({ gate: { failOn: 'high', onlyNew: true, passed: true, reasons: [] } });
  const elements = parsed(report);
  expect(textOf(elements.find(({ tagName }) => tagName === 'h1')!)).toBe('No findings on 1 page');
  expect(textOf(withClass(elements, 'gate')[0]!)).toContain('PASS');
  expect(elements.find(({ tagName }) => tagName === 'form')).toBeUndefined();
});

test('what failed, was skipped or was left out is at the top', () => {
  const report = emptyReport({
    verdict: 'incomplete',
    agents: [{ ...emptyReport().agents[0]!, verdict: 'broken', error: 'The browser ended.' }],
    pages: [
      {
        url: `${SITE}/de`,
        status: 'skipped',
        problems: [{ agentId: 'links', message: 'No dictionary.' }],
      },
    ],
    notes: ['2 pages were left out.'],
  });
  const [problems] = withClass(parsed(report), 'problems');
  for (const part of [
    'Broken links ended without result',
    'The browser ended.',
    '/de was skipped',
    'No dictionary.',
  ])
    expect(textOf(problems!)).toContain(part);
  expect(textOf(problems!)).toContain('2 pages were left out.');
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></textarea><svg onload=alert(1)>',
  'javascript:alert(1)',
  'https://example.com/"onclick="alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '&lt;b&gt; &quot;',
  '\u202egnp.exe\u0000\ud800',
  '}*{display:none}</style><base href="https://evil.example">',
];

const hostileReport = (text: string): Report => {
  const fields: Partial<ReportFinding> = {
    title: text,
    description: text,
    suggestion: text,
    issueType: text,
    targetText: text,
    context: { before: text, after: text },
    htmlSelector: text,
    htmlSnippet: text,
    url: text,
    pageUrl: text,
    agents: [text],
    alsoKnownAs: [text],
    reason: text,
    decidedBy: text,
    decision: 'accepted',
    source: { file: text },
    causeId: text,
    position: { x: 10, y: 10, width: 10, height: 10 },
  };
  const [page, calm] = siteReport().pages.filter(({ screenshot }) => screenshot);
  return emptyReport({
    redpen: text,
    id: text,
    urls: [text],
    agents: [{ ...emptyReport().agents[0]!, agentId: text, name: text, error: text }],
    pages: [
      { ...page!, url: text, problems: [{ agentId: text, message: text }] },
      { ...calm!, url: `${text}2`, status: 'reviewed' },
    ],
    findings: [
      finding(1, fields),
      finding(2, { ...fields, pageUrl: `${text}2` }),
      finding(3, { ...fields, ignored: 'decision' }),
      finding(4, {
        ...fields,
        suggestion: `Fix any of the following: ${text}; ${text}.`,
        causeId: undefined,
      }),
    ],
    fixed: [{ title: text, issueType: text, severity: 'low', pageUrl: text, url: text }],
    rules: { [text]: { title: text, help: text, helpUrl: text, category: text, defaultSeverity: 'low' } },
    notes: [text],
    gate: { failOn: 'low', onlyNew: false, passed: false, reasons: [text, text] },
  });
};

const shapeOf = (elements: Element[]) =>
  elements.map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(' ')}`);

/** The elements of a report with plain words are all that there may be, with links or without. */
const known = new Set(
  [hostileReport('plain'), hostileReport('https://example.com/plain'), siteReport()].flatMap((report) =>
    shapeOf(parsed(report)),
  ),
);

function expectHarmless(text: string): void {
  const elements = parsed(hostileReport(text));
  // Markup in a fix makes a block of it, and text that repeats is left out; nothing else depends on the text.
  expect(shapeOf(elements).filter((shape) => !known.has(shape))).toEqual([]);
  const links = elements.flatMap((one) => attribute(one, 'href') ?? []);
  expect(links.filter((href) => !/^(?:https?:\/\/|#|data:image\/svg\+xml,%3Csvg)/.test(href))).toEqual([]);
  const sources = elements.flatMap((one) => attribute(one, 'src') ?? []);
  expect(sources.filter((source) => !/^data:image\/webp;base64,[\w+/=]+$/.test(source))).toEqual([]);
  const external = elements.filter((one) => attribute(one, 'href')?.startsWith('http'));
  expect(external.filter((one) => attribute(one, 'rel') !== 'noopener noreferrer')).toEqual([]);
  const style = textOf(elements.find(({ tagName }) => tagName === 'style')!);
  expect(style).not.toContain('evil');
}

test.each(HOSTILE)('text of a page stays text: %j', (text) => {
  expectHarmless(text);
  const shown = text.replaceAll(/[\0\u202e]/g, '\ufffd').toWellFormed();
  const elements = parsed(hostileReport(text));
  expect(textOf(byId(elements, 'title-4'))).toBe(shown);
});

test('no text leaves its place', () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE, '<', '>', '"', "'", '&', '--!>', ']]>'),
    fc.string({ unit: 'binary' }),
  );
  const texts = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `z${pieces.join('')}`);
  fc.assert(fc.property(texts, expectHarmless), { numRuns: 100 });
});

test('the size grows with the pictures and the findings only', () => {
  expect(renderHtml(emptyReport(), {}).length).toBeLessThan(40_000);
  const large = renderHtml(largeReport(5_000), { pictures: sitePictures });
  expect(large.length / 5_000).toBeLessThan(2_500);
});
