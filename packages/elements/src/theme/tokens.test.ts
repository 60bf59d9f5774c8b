import { expect, test } from 'vitest';
import { SEVERITIES } from './severities.ts';
import { COLORS, type ColorName, tokensRule, tokensWithin } from './tokens.ts';

type Theme = 'light' | 'dark';
const THEMES: readonly Theme[] = ['light', 'dark'];

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);

/** The relative luminance of WCAG 2.2. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The pairs whose contrast is below the least, with the contrast. */
const tooClose = (least: number, fronts: readonly ColorName[], grounds: readonly ColorName[]): string[] =>
  THEMES.flatMap((theme) =>
    fronts.flatMap((front) =>
      grounds.flatMap((ground) => {
        const found = contrast(COLORS[front][theme], COLORS[ground][theme]);
        return found < least ? [`${theme}: ${front} on ${ground}: ${found.toFixed(2)}`] : [];
      }),
    ),
  );

const GROUNDS = ['bg', 'surface', 'tint'] as const;

test('the contrast is computed as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('text has a contrast of 4.5 on every ground', () => {
  expect(
    tooClose(4.5, ['ink', 'dim', 'accent', 'link', 'good', 'warn', 'bad', ...SEVERITIES], GROUNDS),
  ).toEqual([]);
});

test('text on colored grounds has a contrast of 4.5', () => {
  const fills = SEVERITIES.map((severity) => `${severity}-fill` as const);
  expect(tooClose(4.5, ['on-fill'], ['accent-fill', ...fills])).toEqual([]);
  for (const name of ['accent', 'good', 'warn', 'bad'] as const)
    expect(tooClose(4.5, [name, 'ink'], [`${name}-tint`])).toEqual([]);
  expect(tooClose(4.5, ['ink'], ['mark', 'removed-tint', 'added-tint', 'focus-tint'])).toEqual([]);
  expect(tooClose(4.5, ['link', 'dim'], ['focus-tint', 'accent-tint'])).toEqual([]);
});

test('frames of fields, the focus ring and the signs of severities have a contrast of 3', () => {
  expect(tooClose(3, ['edge', 'focus'], GROUNDS)).toEqual([]);
});

test('every color that a page may replace is read through its own name', () => {
  const within = tokensWithin(':host');
  const rule = tokensRule(':root');
  for (const name of Object.keys(COLORS)) {
    expect(rule).toContain(`  --rp-${name}: `);
    expect(within).toContain(`--_${name}:var(--rp-${name},`);
  }
  expect(within).not.toMatch(/[{;]--rp-/);
});
