import { expect, test } from 'vitest';
import {
  cronOf,
  emptyForm,
  formOf,
  hasTime,
  isOtherReview,
  NONE,
  problemsOf,
  reviewOf,
  rhythmOf,
} from './schedule-form.ts';

const form = emptyForm('Europe/Berlin');

test.each([
  ['0 * * * *', 'hourly'],
  ['30 6 * * *', 'daily'],
  ['0 7 * * 1-5', 'weekdays'],
  ['0 7 * * 3', 'weekly'],
  ['5 4 1 * *', 'monthly'],
  ['*/15 * * * *', 'custom'],
  ['0 7 * * 1,3', 'custom'],
  ['30 * * * *', 'custom'],
])('%s is %s, and is made of it again', (cron, rhythm) => {
  const found = rhythmOf(cron);
  expect(found.rhythm).toBe(rhythm);
  expect(cronOf({ ...form, ...found, cron })).toBe(cron);
});

test('a form without agents, group and document says nothing of them', () => {
  expect(reviewOf({ ...form, urls: ' https://example.com/ \n\n' })).toEqual({
    urls: ['https://example.com/'],
    preset: 'launch',
    crossPageExecute: true,
    maxUrlsToProcess: 50,
    deviceType: 'desktop',
  });
});

test('a schedule becomes a form and back', () => {
  const schedule = {
    id: 'schedule_1',
    name: 'Nightly',
    cron: '0 2 * * *',
    timeZone: 'UTC',
    enabled: true,
    review: {
      urls: ['https://example.com/'],
      agents: ['broken-links'],
      crossPageExecute: false,
      maxUrlsToProcess: 50,
      deviceType: 'mobile' as const,
    },
    metadata: { organizationId: 'acme', documentId: 'site' },
    nextAt: 1,
    lastAt: null,
    lastReviewId: null,
    lastError: null,
    createdAt: 1,
    updatedAt: 1,
  };
  const shown = formOf(schedule);
  expect(shown).toMatchObject({ rhythm: 'daily', time: '02:00', preset: NONE, groupId: NONE });
  expect(reviewOf(shown)).toEqual({
    urls: ['https://example.com/'],
    agents: ['broken-links'],
    crossPageExecute: false,
    deviceType: 'mobile',
    organizationId: 'acme',
    documentId: 'site',
  });
  expect(isOtherReview(shown, { ...shown, name: 'Other', time: '03:00' })).toBe(false);
  expect(isOtherReview(shown, { ...shown, device: 'desktop' })).toBe(true);
});

test('a rhythm by the day needs a time', () => {
  const times: Record<string, boolean> = {
    '07:00': true,
    ' 7:05 ': true,
    '7': false,
    '25:00': false,
    '': false,
  };
  for (const [time, isOne] of Object.entries(times))
    expect(hasTime({ rhythm: 'daily', time }), time).toBe(isOne);
  expect(hasTime({ rhythm: 'hourly', time: '' })).toBe(true);
});

test.each([
  ['', 'maxPages'],
  ['2.5', 'maxPages'],
  ['1e2', 'maxPages'],
  ['0', 'maxPages'],
  ['10001', 'maxPages'],
  ['10000', undefined],
])('%j pages at most have a problem at %s', (maxPages, field) => {
  expect(Object.keys(problemsOf({ ...form, maxPages }))).toEqual(field === undefined ? [] : [field]);
  expect(problemsOf({ ...form, maxPages, crossPage: false })).toEqual({});
});

test('an organization and a document are given together', () => {
  expect(Object.keys(problemsOf({ ...form, organizationId: 'acme' }))).toEqual(['documentId']);
  expect(Object.keys(problemsOf({ ...form, documentId: 'site' }))).toEqual(['organizationId']);
  expect(problemsOf({ ...form, organizationId: 'acme', documentId: 'site' })).toEqual({});
});
