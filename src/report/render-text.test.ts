import { expect, test } from 'vitest';
import { emptyReport, SITE, sampleFinding, usualReport } from './fixtures/sample-report.ts';
import { renderText } from './render-text.ts';

test('a report shows shared faults once, then pages, then what was fixed, problems and the verdict', () => {
  expect(renderText(usualReport(), { columns: 80 })).toMatchInlineSnapshot(`
    "Review of https://shop.example.com/
    3 agents, 6 pages

    https://shop.example.com/products?sort=price  1 critical
      ✖ critical  new  An access key of a cloud provider is in the    secret-in-page
                       source of the page
                       The script of the page has a key that begins with AKIA and
                       ends with 7Q.
                       src/pages/products.astro:12 · body > script:nth-of-type(3)
                       Fix: Revoke the key, and let a server of yours make the calls
                            that need it.

    https://shop.example.com/  1 critical
      ✖ critical       Images must have alternative text                   image-alt
                       The image has no alternative text, so that screen readers
                       read the name of its file.
                       main > section.hero > div:nth-of-type(2) > img
                       Fix: Add an attribute alt that says what the image shows, or
                            alt="" if it only decorates.

    On several pages  4 high
      ✖ high           Page not found: link “Prices”                     broken-link
                       4 places on 4 pages: /, /about, /products?sort=price,
                       /contact
                       The link https://shop.example.com/prices answers with the
                       status 404.
                       footer > a:nth-of-type(2)
                       Fix: Correct the address, or remove the link.

    https://shop.example.com/about  1 low
        low       new  Unknown word “recieve”                               spelling
                       The word “recieve” is in no English dictionary.
                       main > p:nth-of-type(3)
                       Fix: receive

    Fixed: 1 finding
      high      Page not found: link “Imprint”                                /about

    Problems and notes
      agent     Tone of voice: No model is configured for this agent.
      failed    https://shop.example.com/slow
                Broken links: The page did not load within 30 seconds.
      skipped   https://shop.example.com/manual.pdf
                Accessibility checker: The agent does not review PDF files
      note      57 more pages of the site were left out, because a run reviews 6
                pages at most.

    7 findings on 4 pages: 2 critical, 4 high, 1 low.
    2 new, 5 known, 1 fixed, 2 ignored.
    ✖ marks what fails the gate.
    FAIL: 6 findings are critical or high.
    "
  `);
});

test('the last line is the verdict of the gate, or the figures without one', () => {
  const lastLine = (report: Parameters<typeof renderText>[0]) =>
    renderText(report, {}).trimEnd().split('\n').at(-1);
  const { gate: _, ...ungated } = usualReport();
  expect(lastLine(usualReport())).toBe('FAIL: 6 findings are critical or high.');
  expect(lastLine(ungated)).toBe(
    '7 findings on 4 pages: 2 critical, 4 high, 1 low. 2 new, 5 known, 1 fixed, 2 ignored.',
  );
  expect(lastLine(emptyReport())).toBe('No page was reviewed.');
});

test('escape codes appear only if colors are asked for', () => {
  expect(renderText(usualReport(), {})).not.toContain('\u001b');
  expect(renderText(usualReport(), { colors: true })).toContain('\u001b[31m');
});

test('ignored findings are only counted', () => {
  const text = renderText(usualReport(), {});
  expect(text).not.toContain('Zyxel');
  expect(text).toContain('2 ignored');
});

test('a fault in several places of one page is shown once', () => {
  const findings = [1, 2, 3].map((number) => sampleFinding({ id: `f-${number}`, number, causeId: 'cause' }));
  const text = renderText(emptyReport({ verdict: 'findings', findings }), {});
  expect(text.match(/Page not found/g)?.length).toBe(1);
  expect(text).toContain('3 places on this page');
  expect(text).toContain('3 high');
});

test('faults with one cause but different issue types stay apart', () => {
  const findings = ['broken-link', 'broken-image'].map((issueType) =>
    sampleFinding({ issueType, causeId: 'cause' }),
  );
  expect(renderText(emptyReport({ findings }), {}).match(/Page not found/g)?.length).toBe(2);
});

test('a long report is cut, and says so', () => {
  const findings = Array.from({ length: 6_000 }, (_, at) =>
    sampleFinding({ id: `f-${at}`, pageUrl: `${SITE}/${at % 40}`, title: `Finding ${at}` }),
  );
  const text = renderText(emptyReport({ verdict: 'findings', findings }), {});
  expect(text.match(/Finding \d+/g)?.length).toBe(300);
  expect(text).toContain('… and 100 more here');
  expect(text).toContain('… and findings on 34 more pages. The formats json and csv have all.');
  expect(text).toContain('6000 findings on 40 pages: 6000 high.');
});

test('pages of several sites are named by their address', () => {
  const findings = [`${SITE}/a`, 'https://other.example/a'].map((pageUrl, at) =>
    sampleFinding({ id: `f-${at}`, pageUrl, causeId: 'cause' }),
  );
  expect(renderText(emptyReport({ findings }), {})).toContain(
    `2 places on 2 pages: ${SITE}/a, https://other.example/a`,
  );
});

test('the advice of axe-core needs no second label', () => {
  const fixIn = (suggestion: string) =>
    /^ *(Fix.*)$/m.exec(
      renderText(emptyReport({ findings: [sampleFinding({ suggestion })] }), { columns: 200 }),
    )?.[1];
  expect(fixIn('Fix any of the following: It has no alt attribute; It has no title.')).toBe(
    'Fix any of the following: It has no alt attribute; It has no title.',
  );
  expect(fixIn('Fix any of the following: It has no alt attribute.')).toBe('Fix: It has no alt attribute.');
  expect(fixIn('Fix all links.')).toBe('Fix: Fix all links.');
});

test('pages with the same problem share a line', () => {
  const pages = [1, 2, 3, 4, 5, 6].map((number) => ({
    url: `${SITE}/${number}`,
    status: 'failed' as const,
    problems: [{ agentId: 'a', message: number === 2 ? 'It is a download.' : 'The server does not answer.' }],
  }));
  const text = renderText(emptyReport({ pages }), { columns: 100 });
  expect(text.match(/does not answer/g)?.length).toBe(1);
  expect(text).toContain('/1, /3, /4, /5 and 1 more');
  expect(text).toContain('/2');
});
