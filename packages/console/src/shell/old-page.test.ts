import { expect, test } from 'vitest';
import { isOldPage } from './old-page.ts';

test('parts that an update has removed are known by the errors of browsers and of the loader', () => {
  const messages = [
    'Failed to fetch dynamically imported module: http://127.0.0.1/console/assets/a.js',
    'error loading dynamically imported module: http://127.0.0.1/console/assets/a.js',
    'Importing a module script failed.',
  ];
  for (const message of messages) expect(isOldPage(new TypeError(message)), message).toBe(true);
  expect(isOldPage(new Error('Unable to preload CSS for /console/assets/a.css'))).toBe(true);
  expect(isOldPage(new TypeError('Failed to fetch'))).toBe(false);
  expect(isOldPage('Importing a module script failed.')).toBe(false);
});
