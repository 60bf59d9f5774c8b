import { expect, test } from 'vitest';
import { listSettings } from '../../config.ts';
import { SETTING_GROUPS } from '../settings/setting-groups.ts';
import { groupSettings, printSettings } from './print-settings.ts';

const names = listSettings().map(({ name }) => name);

test('every setting is under exactly one heading', () => {
  expect(SETTING_GROUPS.flatMap((group) => group.names).sort()).toEqual([...names].sort());
  expect(groupSettings().flatMap(({ settings }) => settings)).toHaveLength(names.length);
});

test('help lists every setting with its meaning', () => {
  const help = printSettings();
  for (const { name, description } of listSettings()) {
    expect(description).not.toBe('');
    expect(help).toContain(`\n  ${name}\n`);
  }
  for (const { title } of SETTING_GROUPS) expect(help).toContain(`\n\n${title}\n\n  `);
});

test.each([
  [undefined, 100],
  [80, 80],
  [20, 60],
  [400, 120],
])('help for a terminal of %s columns has lines of at most %s', (columns, maxColumns) => {
  const widths = printSettings(columns)
    .split('\n')
    .map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(maxColumns);
  expect(Math.max(...widths)).toBeGreaterThan(maxColumns - 5);
});

test('a default is printed only if the meaning does not mention it', () => {
  const fallbacks = Object.fromEntries(listSettings().map(({ name, fallback }) => [name, fallback]));
  expect(fallbacks).toMatchObject({ PORT: '8080', DATABASE_URL: 'none', REDPEN_ALLOW_HOSTS: 'none' });
  expect(fallbacks.REDPEN_MODEL_PRICES).toBe('none');
  for (const name of ['REDPEN_LOG', 'REDPEN_BLOB_URL', 'REDIS_URL', 'REDPEN_MODELS']) {
    expect(fallbacks[name]).toBeUndefined();
  }
  expect(printSettings()).toMatch(/By default\s+pretty on a terminal and json elsewhere\.\n\n/);
});
