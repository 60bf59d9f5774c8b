import { expect, test } from 'vitest';
import { hasDecision, isNarrowed, parseInbox, requestOf } from './finding-filter.ts';

test('the address says what is listed, and a request is made of it', () => {
  const search = parseInbox({
    organization: 'acme',
    document: 'website',
    severity: ['high', 'critical'],
    decision: 'rejected',
    state: 'all',
    text: 'price',
    days: 7,
    page: 'https://example.com/prices',
    rule: 'spelling',
  });
  const now = Date.UTC(2026, 0, 8, 12, 30);
  expect(requestOf(search, now)).toEqual({
    organizationId: 'acme',
    documentId: 'website',
    severity: ['high', 'critical'],
    decision: ['rejected'],
    state: ['new', 'still_there', 'fixed'],
    text: 'price',
    since: Date.UTC(2026, 0, 1, 12),
    pageUrl: 'https://example.com/prices',
    issueType: ['spelling'],
  });
  expect(isNarrowed(search)).toBe(true);
});

test('an empty address lists what the service lists by default', () => {
  expect(requestOf(parseInbox({}))).toEqual({});
  expect(isNarrowed(parseInbox({ finding: 'fnd_1', group: 'none' }))).toBe(false);
});

test('what an address should not say is dropped', () => {
  expect(
    parseInbox({
      document: 'without-its-organization',
      severity: 'grave',
      decision: 'open',
      state: ['new'],
      page: '/prices',
      days: -1,
      group: 'cause',
      text: '',
      agent: { $ne: 1 },
      unknown: 1,
    }),
  ).toEqual({});
});

test('a number in the address is text if the field is text', () => {
  expect(parseInbox({ text: 404, severity: 'low' })).toEqual({ text: '404', severity: ['low'] });
});

test('a decision says whether a finding stays in the list', () => {
  expect(hasDecision({}, 'accepted')).toBe(true);
  expect(hasDecision({}, 'rejected')).toBe(false);
  expect(hasDecision({ decision: 'rejected' }, 'rejected')).toBe(true);
  expect(hasDecision({ decision: 'undecided' }, 'accepted')).toBe(false);
  expect(hasDecision({ decision: 'all' }, 'resolved')).toBe(true);
});
