import { expect, test } from 'vitest';
import { extractLinks } from '../page/extract-links.ts';
import { createRenderingChoice, type RenderingDecision } from './rendering-choice.ts';

const URL_OF = (number: number) => `http://s.example/${number}`;
const LINKS = '<p>Words that stand on this page.</p><a href="/a">a</a><b id="x"></b>';
const source = (number: number, scripts = '<script src="/app.js"></script>', body = LINKS) =>
  extractLinks(`<title>T</title>${body}${scripts}`, URL_OF(number), { rendered: false });
const rendered = (number: number, body = LINKS) =>
  extractLinks(`<title>T</title>${body}<script src="/app.js"></script>`, URL_OF(number), { rendered: true });

const finish = (decision: RenderingDecision, page = rendered(0)) => {
  if (decision.render) decision.done({ ...page, finalUrl: page.finalUrl });
};

test('a page without scripts needs no browser', async () => {
  const choice = createRenderingChoice();
  for (const script of [
    '',
    '<script type="application/ld+json">{"@id": "/x"}</script>',
    '<script> </script>',
  ])
    expect(await choice.decide(source(1, script))).toEqual({ render: false, reason: 'no-scripts' });
});

test.each([
  [
    'an empty root',
    '<div id="app"></div>',
    '<script type="module" src="/m.js"></script>',
    'drawn-by-scripts',
  ],
  ['an empty body', '', '<script src="/m.js"></script>', 'drawn-by-scripts'],
  [
    'a root that says it loads',
    '<div id="root"><div class="spin"></div>Loading…</div>',
    '<script src="/m.js"></script>',
    'drawn-by-scripts',
  ],
  ['document.write', LINKS, '<script>document.write("x")</script>', 'writing-scripts'],
  ['markup in a script', LINKS, '<script>show("<a href=/b>b</a>")</script>', 'writing-scripts'],
  [
    'a declared shadow root',
    LINKS,
    '<x-y><template shadowrootmode="open"><a href="/z">z</a></template></x-y>',
    'writing-scripts',
  ],
])('%s is always rendered', async (_, body, scripts, reason) => {
  const choice = createRenderingChoice();
  for (let number = 0; number < 5; number++) {
    const decision = await choice.decide(source(number, scripts, body));
    expect(decision).toMatchObject({ render: true, reason });
    finish(decision);
  }
});

test('of pages with the same scripts three are rendered, and the others only if scripts changed these', async () => {
  for (const [body, reason] of [
    [LINKS, 'inert-scripts'],
    [`${LINKS}<a href="/added">more</a>`, 'changing-scripts'],
    ['<p>Words that stand on this page.</p>', 'changing-scripts'],
    [`${LINKS}<link rel="canonical" href="/c">`, 'changing-scripts'],
  ] as const) {
    const choice = createRenderingChoice();
    for (let number = 0; number < 3; number++) {
      const decision = await choice.decide(source(number));
      if (reason === 'inert-scripts' || number === 0) expect(decision).toMatchObject({ reason: 'sample' });
      if (decision.render) decision.done(rendered(number, body));
    }
    expect(await choice.decide(source(4))).toMatchObject({ reason });
  }
});

test('pages wait for the samples that are being rendered, and a failed one is replaced', async () => {
  const choice = createRenderingChoice();
  const samples = await Promise.all([0, 1, 2].map((number) => choice.decide(source(number))));
  const waiting = [3, 4, 5].map((number) => choice.decide(source(number)));
  const doneOf = (decision: RenderingDecision) => (decision.render ? decision.done : () => {});
  doneOf(samples[0]!)(undefined);
  const replaced = await waiting[0]!;
  expect(replaced).toMatchObject({ reason: 'sample' });
  doneOf(samples[1]!)(rendered(1));
  doneOf(samples[2]!)(rendered(2));
  doneOf(replaced)(rendered(3));
  expect(await Promise.all(waiting.slice(1))).toMatchObject([{ render: false }, { render: false }]);
});

test('a page stops waiting when its run is aborted', async () => {
  const choice = createRenderingChoice();
  for (let number = 0; number < 3; number++) await choice.decide(source(number));
  const stop = new AbortController();
  const waiting = choice.decide(source(4), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});

test('other scripts, and other places for them to work on, are judged apart', async () => {
  const choice = createRenderingChoice();
  const settle = async (page: ReturnType<typeof source>) => {
    const decision = await choice.decide(page);
    if (decision.render) decision.done(rendered(Number(page.finalUrl.at(-1))));
    return decision.reason;
  };
  for (let number = 0; number < 3; number++) expect(await settle(source(number))).toBe('sample');
  expect(await settle(source(4))).toBe('inert-scripts');
  const inline = (text: string) => source(5, `<script src="/app.js"></script><script>${text}</script>`);
  expect(await settle(inline('init("a", 1)'))).toBe('sample');
  // One sample is enough for other places, once the same scripts left three pages alone.
  for (const body of [
    `${LINKS}<div data-include="x">…</div>`,
    `${LINKS}<ul id="menu"></ul>${'word '.repeat(80)}`,
  ]) {
    const decision = await choice.decide(source(6, undefined, body));
    expect(decision.reason).toBe('sample');
    if (decision.render) decision.done(rendered(6, body));
    expect((await choice.decide(source(7, undefined, body))).reason).toBe('inert-scripts');
  }
  // Texts and numbers differ on each page that a template makes.
  expect(inline('init("a", 1)').scripts!.group).toBe(inline('init("b",  22)').scripts!.group);
  expect(inline('init("a")').scripts!.group).not.toBe(inline('draw("a")').scripts!.group);
});

test('a late change is noticed, and ends the sparing of pages', async () => {
  const late: number[] = [];
  const choice = createRenderingChoice((spared) => late.push(spared));
  const reasons: string[] = [];
  for (let number = 0; number < 30; number++) {
    const decision = await choice.decide(source(number));
    reasons.push(decision.reason);
    const body = number < 5 ? LINKS : `${LINKS}<a href="/new">new</a>`;
    if (decision.render) decision.done(rendered(number, body));
  }
  expect(reasons.slice(0, 23)).toEqual([...Array(3).fill('sample'), ...Array(20).fill('inert-scripts')]);
  expect(reasons.slice(23)).toEqual(['sample', ...Array(6).fill('changing-scripts')]);
  expect(late).toEqual([20]);
});

test('targets of fragments are known to be complete once samples show that scripts add none', async () => {
  for (const [extra, expected] of [
    ['', true],
    ['<i id="added"></i>', false],
  ] as const) {
    const choice = createRenderingChoice();
    expect(choice.addsNoTargets(source(0))).toBe(false);
    for (let number = 0; number < 3; number++) {
      const decision = await choice.decide(source(number));
      if (decision.render) decision.done(rendered(number, LINKS + extra));
    }
    expect(await choice.decide(source(4))).toMatchObject({ reason: 'inert-scripts' });
    expect(choice.addsNoTargets(source(5))).toBe(expected);
  }
});

test('samples may be taken before their turn, those of pages with many links last', () => {
  const choice = createRenderingChoice();
  const many = LINKS + Array.from({ length: 600 }, (_, n) => `<a href="/n${n}">${n}</a>`).join('');
  expect(choice.isSlowSample(source(0, undefined, many))).toBe(true);
  expect(choice.isSlowSample(source(0))).toBe(false);
  const early = [1, 2, 3, 4].map((number) => choice.decideEarly(source(number)));
  expect(early.map((one) => one?.reason)).toEqual(['sample', 'sample', 'sample', undefined]);
  // Another group of the same scripts waits for these samples.
  expect(choice.decideEarly(source(5, undefined, `${LINKS}<x-menu>…</x-menu>`))).toBeUndefined();
  for (const one of early) if (one) finish(one, rendered(Number(1)));
  expect(choice.isSlowSample(source(0, undefined, many))).toBe(false);
  expect(choice.decideEarly(source(6, ''))).toBeUndefined();
});
