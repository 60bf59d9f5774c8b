import { expect, test } from 'vitest';
import { MANUAL, pageOf, type SamplePassage } from '../../../../test/reviews/rules-page.ts';
import { findSecrets } from './find-secrets.ts';

const typesIn = async (passages: SamplePassage[], html = '') =>
  (await findSecrets(pageOf(passages, html))).map(({ issueType }) => issueType);
const key = (prefix: string) => `${prefix}${'Qm7zRt2KpV9xWc4BhL8nYs3DfG6jTa5E'.repeat(2)}`;

test.each<[string, string]>([
  ['a statement', 'SELECT name, price FROM goods WHERE price > 3'],
  ['a private address', 'The server has the address 192.168.0.14.'],
  ['an address of the reader', 'Open http://localhost/admin in a window.'],
  ['a path', 'Settings are in /var/www/html/settings.'],
  ['a traceback', 'It prints Traceback (most recent call last): and ends.'],
  ['an option', 'This is for internal use only.'],
])('%s in a lesson is no leak', async (_, text) => {
  expect(await typesIn([text], MANUAL)).toEqual([]);
});

test('a private address that a page names as an example is no leak', async () => {
  expect(await typesIn(['Enter its address, e.g. smb://192.168.0.105/disk, and connect.'])).toEqual([]);
});

test('a statement, an address and a message on another page are leaks', async () => {
  expect(await typesIn(['Query was SELECT id, total FROM orders WHERE id = 7'])).toEqual(['debug-output']);
  expect(await typesIn(['It is served by 10.20.4.7 alone.'])).toEqual(['internal-host']);
  expect(await typesIn(['Fatal error: Uncaught Error: no in /var/www/a/b.php:12'])).toEqual(['stack-trace']);
});

test('what the server itself left behind is a leak in a lesson too', async () => {
  expect(await typesIn(['SQLSTATE[42S02]: Base table or view not found'], MANUAL)).toEqual(['stack-trace']);
  expect(await typesIn(['See ledger02.corp.northwind.internal for logs.'], MANUAL)).toEqual([
    'internal-host',
  ]);
});

test('a real key in a sample is a leak, and a published or invented one is not', async () => {
  const sample = (text: string) => [{ text, marks: ['code'] }];
  expect(await typesIn(sample(`token = "${key('ghp_').slice(0, 40)}"`), MANUAL)).toEqual([
    'exposed-credential',
  ]);
  for (const text of [
    'AKIAIOSFODNN7EXAMPLE',
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    ['sk', 'test', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'),
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ]) {
    expect(await typesIn([text]), text).toEqual([]);
    expect(await typesIn(sample(text), MANUAL), text).toEqual([]);
  }
});

test('a link to a test system of the site is a leak, and one to that of another site is not', async () => {
  expect(
    await typesIn([], '<a href="https://qa.debian.org/x">q</a><a href="https://devguide.python.org/">d</a>'),
  ).toEqual([]);
  expect(await typesIn([], '<a href="https://staging.site.example/x">q</a>')).toEqual(['internal-host']);
});

test('the same secret has one cause on all pages, which does not contain it', async () => {
  const text = `Deploy with ${key('glpat-').slice(0, 26)} today.`;
  const [one] = await findSecrets(pageOf([text]));
  const [other] = await findSecrets(pageOf(['Hello.', text]));
  expect(one!.cause).toBe(other!.cause);
  expect(one!.cause).not.toContain('Qm7z');
});
