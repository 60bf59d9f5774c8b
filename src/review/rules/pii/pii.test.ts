import { expect, test } from 'vitest';
import { MANUAL, pageOf } from '../../../../test/reviews/rules-page.ts';
import { findPersonalData } from './pii.ts';

const found = (text: string, html = '') =>
  findPersonalData(pageOf([text], html)).map(({ issueType, severity }) => `${issueType} ${severity}`);

test.each([
  'The hole is CVE-2021-4034567 and concerns her phone.',
  'Call ISBN 978-0-306-40615-7 his favorite.',
  'RFC 2606 and ISO 8601:2004-12-01 tell her contact.',
  'Part number 415-203-4471, contact for Jane Roe.',
  'Her version is 10.15.203.4471.',
  'Call Jane Roe on her mobile (415) 555-0142.',
  'Tom Reed, private mobile 07700 900123.',
  'Please refund his IBAN DE89 3704 0044 0532 0130 00.',
  'The customer paid with card 4242 4242 4242 4242.',
  'Employee SSN: 078-05-1120',
  'National Insurance number QQ 12 34 56 C',
  'Write to jane.roe@example.com for more.',
  'Configure it for the mail servers at msn.com and others.',
])('%j has no personal data', (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ['Call Jane Roe on her mobile (415) 203-4471.', 'pii-phone medium'],
  ['Please refund his IBAN DE44 5001 0517 5407 3249 31.', 'pii-iban critical'],
  ['The customer paid with card 4539 1827 4635 2101.', 'pii-card-number critical'],
  ['DNI del cliente: 51437286V', 'pii-identity-card critical'],
  ['The former customer greta.holm84@gmail.com complained.', 'pii-email medium'],
  ['The former customer greta.holm84 at gmail.com complained.', 'pii-email medium'],
])('%j has', (text, expected) => {
  expect(found(text)).toEqual([expected]);
  expect(found(text, MANUAL)).toEqual([expected]);
});

test('an address that the page offers is low at most, and one at work is none', () => {
  expect(found('greta.holm84@gmail.com', '<a href="mailto:greta.holm84@gmail.com">x</a>')).toEqual([
    'pii-email low',
  ]);
  expect(
    found('greta.holm@weber.example.net', '<a href="mailto:greta.holm%40weber.example.net">x</a>'),
  ).toEqual([]);
});

test('authors of software are no private persons', () => {
  expect(found('Greta Holm <greta@kiosk.net>', MANUAL)).toEqual([]);
  expect(found('Written by Greta Holm <greta.holm@gmail.com>', MANUAL)).toEqual([]);
});

test('the same data has one cause, which does not contain it', () => {
  const [one] = findPersonalData(pageOf(['Employee SSN: 412-34-8471']));
  const [other] = findPersonalData(pageOf(['Her SSN: 412 34 8471']));
  expect(one!.cause).toBe(other!.cause);
  expect(one!.cause).not.toContain('412');
});

test('data of many persons on a page has one cause', () => {
  const causes = (persons: number) =>
    new Set(
      findPersonalData(
        pageOf(Array.from({ length: persons }, (_, index) => `greta.holm${index}@gmail.com`)),
      ).map(({ cause }) => cause),
    ).size;
  expect([causes(3), causes(20)]).toEqual([3, 1]);
});
