import { afterEach, expect, test } from 'vitest';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { signedHeaders } from '../../outside/net/sign-in.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { cleanUp, cleanups, serve } from '../../outside/net/testing-servers.ts';
import { type PageAuth, pageAuth } from '../../shapes/agents/page-auth.ts';
import { makeSignIn } from './make-sign-in.ts';

afterEach(cleanUp);

const problemsOf = (auth: object): string[] =>
  (pageAuth.safeParse(auth).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);

const cookieOf = (cookie: object, url = 'http://127.0.0.1:8080/') =>
  makeSignIn({ cookies: [{ name: 'a', value: 'b', ...cookie }] } as PageAuth, url).signIn.cookies[0];

test('a secret that no header or cookie can hold is refused where it is used', () => {
  const secrets = { file: 'secret\n', two: 'a;b', long: 'x'.repeat(4_100) };
  expect(
    problemsOf({
      headers: { authorization: 'Bearer {{secrets.file}}', 'x-two': '{{secrets.two}}', 'x-bell': 'a\u0007' },
      secrets,
    }),
  ).toEqual([
    expect.stringMatching(/^headers\.x-bell must not contain line breaks or other control characters$/),
    expect.stringMatching(/^headers\.authorization must not contain line breaks .*, as a secret in it does$/),
  ]);
  const cookies = Object.keys(secrets).map((name) => ({ name, value: `{{secrets.${name}}}` }));
  expect(problemsOf({ cookies, secrets })).toEqual([
    expect.stringContaining('cookies.0.value must not contain semicolons, line breaks'),
    expect.stringContaining('cookies.1.value must not contain semicolons, line breaks'),
    expect.stringContaining('cookies.2.value must have at most 4096 bytes'),
  ]);
  expect(problemsOf({ basic: { username: 'a', password: '{{secrets.file}}' }, secrets })).toEqual([]);
});

test.each([
  ['value', { value: 'tab\tin it' }],
  ['value', { value: ' space' }],
  ['value', { value: 'x'.repeat(4_096) }],
  ['path', { path: 'account' }],
  ['path', { path: '/a;b' }],
  ['expires', { expires: Date.now() + 86_400_000 }],
  ['expires', { expires: -5 }],
])('a cookie is refused for its %s if no browser takes it: %o', (field, fields) => {
  const cookie = { name: 'a', value: 'b', ...fields };
  expect(problemsOf({ cookies: [cookie] })).toEqual([expect.stringContaining(`cookies.0.${field} must`)]);
  const storageState = { cookies: [{ domain: '127.0.0.1', ...cookie }], origins: [] };
  expect(problemsOf({ storageState })).toEqual([
    expect.stringContaining(`storageState.cookies.0.${field} must`),
  ]);
});

test.each([
  ['__Secure-a', { secure: true, path: '/x', httpOnly: false }],
  ['__Host-a', { secure: true, path: '/', httpOnly: false }],
  ['__host-a', { secure: true, path: '/' }],
  ['__Http-a', { secure: true, path: '/x', httpOnly: true }],
  ['__HostHttp-a', { secure: true, path: '/', httpOnly: true }],
  ['a', { secure: false, path: '/x', httpOnly: false }],
])('a cookie %s has the fields that its name demands', (name, fields) => {
  expect(cookieOf({ name, path: '/x' })).toMatchObject(fields);
});

test('a cookie of an IPv6 address has its host in brackets, as browsers want it', () => {
  for (const domain of [undefined, '::1', '[::1]'])
    expect(cookieOf({ ...(domain && { domain }) }, 'http://[::1]:8080/')).toMatchObject({ host: '[::1]' });
  expect(cookieOf({ domain: '::2' }, 'http://[::1]:8080/')).toBeUndefined();
});

test('a cookie that a browser has saved for one host does not replace that of another host', () => {
  const origins = ['https://example.com', 'https://app.example.com'];
  const saved = [
    { name: 'sid', value: 'of-app', domain: 'app.example.com', path: '/' },
    { name: 'sid', value: 'of-parent', domain: 'example.com', path: '/' },
    { name: 'sid', value: 'of-all', domain: '.example.com', path: '/' },
    { name: 'lang', value: 'en', domain: '.example.com', path: '/' },
  ];
  const auth = { origins, storageState: { cookies: saved, origins: [] } };
  const { signIn } = makeSignIn(auth, origins[0]!);
  const sent = (url: string) => signedHeaders(signIn, url).cookie?.split('; ').sort();
  expect(sent('https://app.example.com/')).toEqual(['lang=en', 'sid=of-app']);
  expect(sent('https://example.com/')).toEqual(['lang=en', 'sid=of-parent']);
  // A cookie that is written by hand names a domain to mean its hosts too.
  const written = { origins, cookies: [{ name: 'sid', value: 'x', domain: 'example.com' }] };
  expect(makeSignIn(written, origins[0]!).signIn.cookies.map(({ host }) => host)).toEqual([
    'example.com',
    'app.example.com',
  ]);
});

test('a request without a browser sends the same bytes as one of a browser', async () => {
  const { url, requests } = await serve((_request, response) => response.end());
  const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.1'] }), { userAgent: 'Redpen/1' });
  cleanups.push(() => fetch.close());
  const auth = { headers: { 'x-name': 'Zoë €' }, cookies: [{ name: 'currency', value: '€' }] };
  const { signIn } = makeSignIn(auth, url);
  await fetch(url, { headersFor: (hop) => signedHeaders(signIn, hop) });
  const { headers } = requests[0]!;
  const read = (value: unknown) => Buffer.from(String(value), 'latin1').toString();
  expect([read(headers['x-name']), read(headers.cookie)]).toEqual(['Zoë €', 'currency=€']);
});
