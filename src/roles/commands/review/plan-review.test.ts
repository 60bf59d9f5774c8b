import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowedHostsOf, environmentFor } from './embedded-service.ts';
import { planReview } from './plan-review.ts';
import { readConfigFile } from './read-config.ts';
import { createReviewCommand } from './review-program.ts';
import { type ReviewPlan, WrongUse } from './review-settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-plan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SITE = 'https://staging.example.com/';

async function plan(words: string[], environment: NodeJS.ProcessEnv = {}): Promise<ReviewPlan> {
  let planned: Promise<ReviewPlan> | undefined;
  createReviewCommand((urls, flags) => {
    planned = readConfigFile(folder, flags.config).then((config) =>
      planReview({ urls, flags, config, environment, folder }),
    );
  })
    .exitOverride()
    .configureOutput({ writeErr() {} })
    .parse(words, { from: 'user' });
  return await planned!;
}

const write = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return name;
};

test('an address alone is reviewed with the preset launch, and fails from high on', async () => {
  expect(await plan(['https://staging.example.com'])).toMatchObject({
    urls: [SITE],
    agents: undefined,
    preset: 'launch',
    failOn: 'high',
    failOnNew: false,
    printed: 'text',
    files: [],
    server: undefined,
  });
});

test('flags go before the configuration', async () => {
  const config = write('all.json', {
    $schema: './redpen.schema.json',
    urls: ['https://example.com/'],
    preset: 'content',
    pages: ['/docs/**'],
    sitemap: true,
    maxPages: 20,
    device: 'mobile',
    failOn: 'low',
    failOnNew: true,
    maxFindings: 5,
    rules: { spelling: 'off', 'broken-link': 'critical' },
    formats: ['json', 'sarif'],
    output: 'reports',
    map: [{ url: '^/docs/(.*)$', file: 'content/$1.md' }],
  });
  const fromFile = await plan(['--config', config]);
  expect(fromFile).toMatchObject({
    urls: ['https://example.com/'],
    preset: 'content',
    pages: ['/docs/**'],
    sitemap: true,
    maxPages: 20,
    device: 'mobile',
    failOn: 'low',
    failOnNew: true,
    maxFindings: 5,
    rules: { spelling: 'off', 'broken-link': 'critical' },
    files: ['json', 'sarif'],
    printed: 'text',
    output: join(folder, 'reports'),
    map: [{ url: '^/docs/(.*)$', file: 'content/$1.md' }],
  });
  const words = `${SITE} --config ${config} --agents broken-links,spell-check --rule spelling=low --fail-on never --format csv --max-pages 3`;
  expect(await plan(words.split(' '))).toEqual({
    ...fromFile,
    urls: [SITE],
    agents: ['broken-links', 'spell-check'],
    preset: undefined,
    rules: { spelling: 'low', 'broken-link': 'critical' },
    failOn: 'never',
    files: ['csv'],
    maxPages: 3,
  });
});

test('a configuration in TypeScript is imported, and found in the working directory', async () => {
  write('redpen.config.ts', `const maxPages: number = 7;\nexport default { urls: ['${SITE}'], maxPages };\n`);
  expect(await plan([])).toMatchObject({ urls: [SITE], maxPages: 7 });
  write('redpen.config.json', {});
  await expect(plan([SITE])).rejects.toThrow(/remove one, or name one with --config/);
  rmSync(join(folder, 'redpen.config.ts'));
  rmSync(join(folder, 'redpen.config.json'));
});

test('all problems of a configuration are named at once, each with its path', async () => {
  const config = write('bad.json', {
    urls: ['https://example.com/', 'example.com'],
    failOn: 'severe',
    maxPages: 0,
    rules: { spelling: 'none' },
    map: [{ url: '(', file: 'a.md', line: 3 }],
    colour: 'red',
  });
  const error = await plan(['--config', config]).catch((problem: Error) => problem);
  expect(error).toBeInstanceOf(WrongUse);
  expect((error as Error).message.split('\n').slice(1).toSorted()).toEqual(
    [
      '  urls[1]: must be the address of a page, such as https://example.com/',
      '  failOn: must be critical, high, medium, low, info or never',
      '  maxPages: must be at least 1',
      '  rules.spelling: must be critical, high, medium, low, info or off',
      '  map[0].url: must be a regular expression',
      '  map[0].line: there is no such setting',
      '  colour: there is no such setting',
    ].toSorted(),
  );
});

test.each([
  [['--config', 'nowhere.json'], /There is no file .*nowhere\.json/],
  [['--config', 'broken.json'], /broken\.json cannot be read: /],
  [['--config', 'empty.ts'], /no default export/],
  [[], /Name at least one page/],
  [[SITE, '--agents', 'spellcheck'], /There is no agent spellcheck; did you mean spell-check\?/],
  [[SITE, '--update-baseline'], /--update-baseline needs --baseline FILE/],
  [[SITE, '--baseline', 'none.json'], /Make it: redpen review .* --baseline none\.json --update-baseline/],
  [[SITE, '--format', 'text,json'], /Several formats need a folder: add --output/],
  [[SITE, '--document', 'acme/website'], /--document needs --server/],
  [[SITE, '--document', 'acme'], /must be ORGANIZATION\/DOCUMENT/],
  [[SITE, '--api-key', 'key_1'], /belong to --server URL/],
  [[SITE, '--server', 'http://127.0.0.1:8080'], /set REDPEN_API_KEY and REDPEN_AUTH_TOKEN/],
  [[SITE, '--server', 'localhost:8080'], /--server must be the address of a service/],
  [['--watch', 'nowhere'], /There is no folder .*nowhere, which --watch names\./],
  [['--watch', 'localhost:3000'], /For a server, write http:\/\/localhost:3000\./],
  [[SITE, '--watch', SITE], /--watch has its own address: leave out https:\/\/staging\.example\.com\//],
  [['--watch', SITE, '--baseline', 'b.json', '--update-baseline'], /--watch does not write the baseline/],
  [['--watch', SITE, '--format', 'json'], /writes formats to a folder: add --output/],
  [['--watch', '.', '--server', 'http://127.0.0.1:8080'], /leave out --server/],
  [['--watch', '.', '--output', '.'], /--output must name another folder/],
  [['--watch', SITE, '--auth', 'login.json'], /--watch does not sign in/],
  [[SITE, '--auth', 'none.json'], /cannot be read from .*none\.json/],
  [[SITE, '--auth', 'broken.json'], /it is not JSON/],
])('%j is refused with a sentence that says what to do', async (words, problem) => {
  write('broken.json', '{"secret": hunter2');
  write('empty.ts', 'const nothing = 1;\n');
  write('login.json', {});
  const error = await plan(words).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(WrongUse);
  expect((error as Error).message).toMatch(problem);
  if (words.includes('--auth')) expect((error as Error).message).not.toContain('hunter2');
});

test.each([
  [['example.com'], 'Write https://example.com or http://example.com.'],
  [['https://eve:pw@example.com'], 'without a user name and password'],
  [[SITE, '--format', 'pdf'], 'There is no format pdf. The formats are text, json'],
  [[SITE, '--rule', 'spelling'], 'such as spelling=off'],
  [[SITE, '--rule', 'spelling=none'], 'such as spelling=off'],
  [[SITE, '--max-pages', '0'], 'It must be a whole number from 1 to 10000.'],
  [[SITE, '--max-findings', '-1'], 'It must be a whole number from 0'],
  [[SITE, '--fail-on', 'severe'], 'Allowed choices are critical'],
  [[SITE, '--agents', ','], 'It must name at least one.'],
  [[SITE, '--agent', 'spell-check'], 'Did you mean --agents?'],
])('the words %j are refused', async (words, problem) => {
  await expect(plan(words)).rejects.toThrow(problem);
});

test('a folder is crawled when it is watched, and a server as the other flags say', async () => {
  const config = write('named.json', { urls: ['https://example.com/'] });
  expect(await plan(['--watch', '.', '--config', config])).toMatchObject({
    urls: [],
    watch: { folder },
    followsLinks: true,
  });
  expect(await plan(['--watch', 'http://localhost:3000', '--config', config])).toMatchObject({
    urls: ['http://localhost:3000/'],
    watch: { url: 'http://localhost:3000/' },
    followsLinks: false,
  });
  expect(await plan([SITE])).toMatchObject({ watch: undefined, followsLinks: false });
});

test('credentials of a server come from the environment only if a server is named', async () => {
  const environment = { REDPEN_URL: 'http://h:1', REDPEN_API_KEY: 'key', REDPEN_AUTH_TOKEN: 'token' };
  expect(await plan([SITE], environment)).toMatchObject({ server: undefined });
  expect(await plan([SITE, '--server', 'http://127.0.0.1:8080'], environment)).toMatchObject({
    server: { url: 'http://127.0.0.1:8080', apiKey: 'key', authToken: 'token' },
  });
});

test('files may begin with a byte order mark', async () => {
  const config = write('marked.json', '\uFEFF{"failOn": "low"}');
  const login = write('marked-login.json', '\uFEFF{"headers": {"x": "y"}}');
  expect(await plan([SITE, '--config', config, '--auth', login])).toMatchObject({
    failOn: 'low',
    auth: { headers: { x: 'y' } },
  });
});

test('the login is read from its file', async () => {
  const auth = { headers: { 'x-preview': 'secret' } };
  expect(await plan([SITE, '--auth', write('login.json', auth)])).toMatchObject({ auth });
});

test('reports are written as text, JSON and HTML into a folder, and text is printed', async () => {
  expect(await plan([SITE, '--output', 'out'])).toMatchObject({
    files: ['text', 'json', 'html'],
    printed: 'text',
  });
  expect(await plan([SITE, '--format', 'sarif'])).toMatchObject({ files: [], printed: 'sarif' });
  expect(await plan([SITE, '--open', '--format', 'json'])).toMatchObject({
    files: ['json', 'html'],
    output: join(folder, 'redpen-report'),
  });
});

test('the service gets keys of models and settings of the browser, and nothing of another service', () => {
  const kept = {
    PATH: '/bin',
    HOME: '/home/eve',
    CHROME_PATH: '/usr/bin/chromium',
    OPENAI_API_KEY: 'sk',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    REDPEN_MODEL: 'openai/gpt-5',
    REDPEN_MODEL_OUTPUT_TOKENS: '1000',
    REDPEN_BROWSER_SANDBOX: 'off',
    REDPEN_TRUST_CERTIFICATES: 'staging.example.com',
  };
  const dropped = {
    DATABASE_URL: 'postgres://h/d',
    REDIS_URL: 'redis://h',
    PORT: '1',
    HOST: '::',
    PGPASSWORD: 'pw',
    REDPEN_DATA_DIR: '/data',
    REDPEN_MASTER_KEY: 'key',
    REDPEN_BLOB_URL: 's3://b',
    REDPEN_AUTH_TOKEN: 'token',
    REDPEN_ALLOW_HOSTS: '*',
    NODE_OPTIONS: '--inspect',
  };
  expect(environmentFor({ ...kept, ...dropped })).toEqual(kept);
});

test('exactly the hosts and ports of the addresses are allowed', () => {
  const addresses = [
    'https://Staging.example.com/a',
    'https://staging.example.com/b',
    'http://localhost:3000/',
    'http://[::1]/',
    'http://harmless,localhost:22/',
  ];
  expect(allowedHostsOf(addresses)).toEqual(['staging.example.com:443', 'localhost:3000', '[::1]:80']);
});
