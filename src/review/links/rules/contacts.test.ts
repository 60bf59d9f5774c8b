import { expect, test } from 'vitest';
import { extractLinks } from '../page/extract-links.ts';
import { contactFindings } from './contacts.ts';
import { mailFault } from './mail-address.ts';
import { phoneFault } from './phone-number.ts';

test.each([
  'mailto:info@example.com',
  'mailto:a@example.com,b@example.com?subject=Two%20people',
  'mailto:a@example.com;b@example.com',
  'mailto:?subject=Read%20this&body=https://example.com/',
  'mailto:Ann%20Lee%20%3Cann@example.com%3E',
  'mailto:first.last+list@mail-1.example.co.uk',
  'mailto:jürgen@bücher.example',
  'mailto:list%40example.com',
  'mailto:%22ann%20lee%22@example.com',
  'mailto: info@example.com',
  'mailto:root@localhost',
  'mailto:postmaster@[192.0.2.1]',
])('%s is a mail address', (href) => {
  expect(mailFault(href)).toBeUndefined();
});

test.each([
  ['mailto:', 'names no'],
  ['mailto:?utm_source=x', 'names no'],
  ['mailto:info', 'no @'],
  ['mailto:info at example.com', 'no @'],
  ['mailto:{{ mail }}', 'no @'],
  ['mailto:@example.com', 'before the @'],
  ['mailto:info@', 'after the @'],
  ['mailto:info@example..com', 'after the @'],
  ['mailto:info@-example.com', 'after the @'],
  ['mailto:info@exam ple.com', 'after the @'],
  ['mailto:in fo@example.com', 'before the @'],
  ['mailto:info@@example.com', 'before the @'],
  ['mailto://info@example.com', 'slashes'],
  ['mailto:info@example.com&subject=Hello', 'question mark'],
  ['mailto:a@example.com,b', 'no @'],
])('%s is no mail address', (href, reason) => {
  expect(mailFault(href)).toContain(reason);
});

test.each([
  'tel:+49301234567',
  'tel:+1 (201) 555-0123',
  'tel:%2B1-201-555-0123',
  'tel:112',
  'tel:*100%23',
  'tel:+1-201-555-0123;ext=22',
  'tel:7042;phone-context=example.com',
  'tel:1-800-FLOWERS',
  'tel:+1-201-555-0123,,9',
  'tel:030/1234567',
  'tel:+39 (0)6 1234567',
  'tel:+49\u00a030\u2011123',
])('%s can be dialed', (href) => {
  expect(phoneFault(href)).toBeUndefined();
});

test.each([
  ['tel:', 'no number'],
  ['tel:call us', 'no digits'],
  ['tel:{{phone}}', 'no digits'],
  ['tel:+49 (0)30 1234567', '(0)'],
  ['tel:++4930123', 'plus sign'],
  ['tel:0049+30123', 'plus sign'],
  ['tel:+030123', 'country code'],
  ['tel:+49301234567890123', 'more digits'],
  ['tel:030 123 or 124', 'no part of a number'],
])('%s cannot be dialed', (href, reason) => {
  expect(phoneFault(href)).toContain(reason);
});

test('an address that a page repeats is one finding, at its first place', () => {
  const page = extractLinks(
    '<p>Mail us</p><a href="mailto:info">Mail us</a> <a href="mailto:info">again</a>' +
      '<a href="tel:+49 30 1">fine</a><a href="mailto:#" data-user="info">hidden</a>',
    'http://s.example/',
    { rendered: false },
  );
  expect(page.links).toEqual([]);
  expect(contactFindings(page)).toMatchObject([
    {
      issueType: 'invalid-mail-address',
      url: 'mailto:info',
      targetText: 'Mail us',
      occurrence: 2,
      htmlSelector: 'body > a:nth-of-type(1)',
      description: 'The mail link mailto:info has no @ in “info”. The page has it 2 times.',
    },
  ]);
});
