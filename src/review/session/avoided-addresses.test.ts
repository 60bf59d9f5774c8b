import { expect, test } from 'vitest';
import { looksLikeAction } from './avoided-addresses.ts';

test.each([
  '/logout',
  '/users/sign_out',
  '/Account/LogOff',
  '/wp-login.php?action=logout',
  '/auth/log-out.php',
  '/?logout=1',
  '/oidc/end_session',
  '/konto/abmelden',
  '/users/5/delete',
  '/delete/5',
  '/delete-account',
  '/deleteUser?id=5',
  '/items?do=remove',
  '/orders/7/cancel',
])('%s is not requested while signed in', (path) => {
  expect(looksLikeAction(`https://example.com${path}`)).toBe(true);
});

test.each([
  '/',
  '/login',
  '/blog/how-to-sign-out-of-all-your-devices',
  '/blog/delete-your-photos-in-five-steps',
  '/removals',
  '/deleted',
  '/slow',
  '/search?q=logout',
  '/docs/catalogue',
  'not a url',
])('%s is requested as ever', (path) => {
  expect(
    looksLikeAction(
      URL.canParse(path, 'https://example.com') && path.startsWith('/') ? `https://example.com${path}` : path,
    ),
  ).toBe(false);
});
