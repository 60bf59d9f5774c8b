import { expect, test } from 'vitest';
import type { FetchFailureKind } from '../../outside/net/outbound-fetch.ts';
import { failedFetch } from './fetch-once.ts';
import type { RedirectChain } from './follow-redirects.ts';
import { createOutsideReach, isInternalHost } from './outside-reach.ts';
import { extractLinks } from './page/extract-links.ts';

/** What hosts answer in the first round, and in the second one if that is different. */
type State = FetchFailureKind | 'answers';
type States = Record<string, [State, State?]>;

const chainOf = (url: string, state: State): RedirectChain => ({
  redirects: [],
  final:
    state === 'answers'
      ? { url, status: 500, isHtml: false, isBotWall: false, cut: false }
      : failedFetch(url, state),
});

function reachOf(siteUrl: string, states: States) {
  const asked: string[] = [];
  const reach = createOutsideReach();
  const html = Object.keys(states).map((host) => `<a href="https://${host}/">x</a>`);
  reach.learn(extractLinks(html.join(''), siteUrl, { rendered: false }));
  const isSilent = () =>
    reach.isSilent(async (url, again) => {
      const { host } = new URL(url);
      asked.push(`${host}${again ? ' again' : ''}`);
      const [first, second = first] = states[host]!;
      return chainOf(url, again ? second : first);
    });
  return { reach, asked, isSilent };
}

const PUBLIC = 'https://s.example.org/';
const LOCAL = 'http://127.0.0.1:8080/';

test('three hosts that fail twice mean that nothing outside answers', async () => {
  const { reach, asked, isSilent } = reachOf(PUBLIC, {
    'a.example.com': ['dns'],
    'b.example.com': ['timeout'],
    'c.example.com': ['connect'],
  });
  expect(reach.isKnownSilent()).toBe(false);
  expect(await Promise.all([isSilent(), isSilent()])).toEqual([true, true]);
  expect(asked).toHaveLength(6);
  expect(reach.isKnownSilent()).toBe(true);
});

test('one answer, even an error, means that the outside answers', async () => {
  const { reach, isSilent } = reachOf(LOCAL, {
    'a.example.com': ['dns'],
    'b.example.com': ['dns'],
    'c.example.com': ['dns'],
    'd.example.com': ['answers'],
  });
  expect(await isSilent()).toBe(false);
  expect(reach.hasAnswered('https://d.example.com/x')).toBe(true);
  expect(reach.hasAnswered('https://a.example.com/')).toBe(false);
});

test('an answer in the second round counts', async () => {
  const { isSilent } = reachOf(PUBLIC, {
    'a.example.com': ['timeout'],
    'b.example.com': ['timeout', 'answers'],
    'c.example.com': ['timeout'],
  });
  expect(await isSilent()).toBe(false);
});

test('two dead hosts are dead where the site itself is outside, and say nothing on an internal one', async () => {
  const states: States = { 'a.example.com': ['dns'], 'b.example.com': ['dns'] };
  expect(await reachOf(PUBLIC, states).isSilent()).toBe(false);
  expect(await reachOf(LOCAL, states).isSilent()).toBe(true);
});

test('a host whose certificate is refused has been reached', async () => {
  const { reach, isSilent } = reachOf(LOCAL, { 'a.example.com': ['tls'], 'b.example.com': ['dns'] });
  expect(await isSilent()).toBe(false);
  expect(reach.isKnownSilent()).toBe(false);
});

test.each([
  ['http://127.0.0.1/', true],
  ['http://192.168.1.5:8080/', true],
  ['http://172.20.0.1/', true],
  ['http://[::1]/', true],
  ['http://[fd00::1]/', true],
  ['http://localhost:3000/', true],
  ['http://intranet/', true],
  ['http://nas.local/', true],
  ['http://172.32.0.1/', false],
  ['http://192.0.2.1/', false],
  ['https://example.com/', false],
  ['http://[2001:db8::1]/', false],
])('%s is internal: %s', (url, internal) => {
  expect(isInternalHost(url)).toBe(internal);
});
