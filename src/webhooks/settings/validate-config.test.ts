import { expect, test } from 'vitest';
import { allowHostHint } from '../../lib/allow-host-hint.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { eventTypeIssues, urlIssues } from './validate-config.ts';

const guard = createGuard({ allowHosts: [] });
const checkUrl = (url: string) => guard.checkUrl(url);

test.each([
  'http://localhost/',
  'http://localhost:3000/hook',
  'https://api.localhost/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://168.63.129.16/',
  'http://metadata/',
  'http://metadata.google.internal/',
  'http://db.internal/',
  'http://printer.local/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://224.0.0.1/',
  'http://192.0.2.1/',
  'https://example.com:22/',
  'https://example.com:5432/',
  'https://localhost./',
])('%s is refused as an address that is not allowed', (url) => {
  expect(urlIssues(['webhookServiceConfig', 'rawNotificationUrl'], url, checkUrl)).toEqual([
    {
      path: ['webhookServiceConfig', 'rawNotificationUrl'],
      code: 'refused_url',
      message: `webhookServiceConfig.rawNotificationUrl leads to an address that is not allowed: internal, loopback and link-local hosts are refused. ${allowHostHint(url)}`,
    },
  ]);
});

test.each([undefined, '', 'https://example.com/hook', 'http://example.com:8080/', 'https://8.8.8.8/'])(
  'the URL %s is accepted',
  (url) => {
    expect(urlIssues(['url'], url, checkUrl)).toEqual([]);
  },
);

test('a filter may name event types of compatible APIs, but no unknown ones', () => {
  expect(eventTypeIssues(['comment.add', 'huddle.join', 'recorder.done'])).toEqual([]);
  expect(eventTypeIssues(['huddle.leave'])).toMatchObject([
    {
      path: ['filterTypes'],
      message: 'filterTypes must name event types that there are; unknown: "huddle.leave".',
    },
  ]);
});
