import { beforeAll, expect, test } from 'vitest';
import { type ElementStage, type Look, startElementStage } from './element-stage.ts';
import { violationsOn } from './violations.ts';

const SCENES = [
  'pins',
  'page',
  'findings',
  'run',
  'diff',
  'threads',
  'suggestion',
  'composer',
  'inbox',
  'presence',
  'empty',
];
const LOOKS: readonly Look[] = [
  { theme: 'light', width: 1_280 },
  { theme: 'dark', width: 390, locale: 'ar' },
  { theme: 'light', width: 390, forcedColors: 'active' },
];

let stage: ElementStage;
beforeAll(async () => {
  stage = await startElementStage('element-scenes.ts');
});

test.each(LOOKS)('axe-core and the policy of a strict page object to nothing: %j', async (look) => {
  const page = await stage.open(look);
  // Where colors are forced, the system chooses them, and axe-core computes with those of the style sheets.
  const isColored = look.forcedColors !== 'active';
  for (const scene of SCENES) {
    await page.evaluate((name) => window.show(name), scene);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    const found = await violationsOn(page);
    expect(
      found.filter((one) => isColored || !one.startsWith('color-contrast')),
      scene,
    ).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, `${scene} is wider than the page`).toBeLessThanOrEqual(0);
  }
});

test('a page may replace colors, and the theme follows color-scheme while the page lives', async () => {
  const page = await stage.open();
  await page.evaluate(() => window.show('presence'));
  const colorOf = () => page.evaluate(() => getComputedStyle(document.querySelector('rp-presence')!).color);
  expect(await colorOf()).toBe('rgb(29, 27, 25)');
  await page.evaluate(() => {
    document.querySelector('rp-provider')!.theme = 'dark';
  });
  await expect.poll(colorOf).toBe('rgb(239, 236, 233)');
  await page.evaluate(() => document.documentElement.style.setProperty('--rp-ink', 'rgb(1, 2, 3)'));
  expect(await colorOf()).toBe('rgb(1, 2, 3)');
});

test('the language can change, and an element without a provider has that of its surroundings', async () => {
  const page = await stage.open();
  await page.evaluate(() => window.show('findings'));
  await page.getByRole('searchbox', { name: 'Search' }).waitFor();
  await page.evaluate(() => {
    document.querySelector('rp-provider')!.locale = 'de';
  });
  await page.getByRole('searchbox', { name: 'Suchen' }).waitFor();
  await page.evaluate(() => {
    const alone = document.createElement('rp-findings');
    alone.findings = [];
    document.documentElement.lang = 'ar';
    document.body.append(alone);
  });
  await page.getByText('لا توجد ملاحظات.').waitFor();
  const dir = await page.evaluate(() =>
    document.querySelector('body > rp-findings')!.shadowRoot!.querySelector('.root')!.getAttribute('dir'),
  );
  expect(dir).toBe('rtl');
});
