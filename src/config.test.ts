import { expect, test } from 'vitest';
import { lineOf, SECRET, wrongSettings } from '../test/service/wrong-settings.ts';
import { readConfig } from './config.ts';
import { BadConfig } from './roles/settings/bad-settings.ts';

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8080,
    REDPEN_DATA_DIR: './data',
    REDPEN_PLAN: 'free',
    REDPEN_WORKSPACE_RATE: 100,
    REDPEN_ROLES: ['api', 'realtime', 'worker'],
  });
});

test('all invalid values are reported at once, without the values of secrets', () => {
  const bad = {
    PORT: 'x',
    REDPEN_PLAN: 'gold',
    REDPEN_MASTER_KEY: 'hunter2',
    REDPEN_ROLES: 'api,cook',
    DATABASE_URL: 'mysql://u:hunter2@h/d',
    REDPEN_TYPO: '1',
    REDPEN_EMBEDDINGS: 'magic',
    REDPEN_ALLOW_HOSTS: 'good.example,10.0.0.0/99',
    REDPEN_TRUST_PROXY: '10.0.0.1,proxy.example',
  };
  let message = '';
  try {
    readConfig(bad);
  } catch (error) {
    expect(error).toBeInstanceOf(BadConfig);
    message = (error as Error).message;
  }
  for (const name of Object.keys(bad)) expect(message).toContain(name);
  expect(message).not.toContain('hunter2');
});

test('the public address may have a path, but no query, fragment or credentials', () => {
  for (const url of ['https://redpen.example', 'http://10.0.0.5:8080/redpen/']) {
    expect(readConfig({ REDPEN_PUBLIC_URL: url })).toMatchObject({ REDPEN_PUBLIC_URL: url });
  }
  for (const url of ['redpen.example', 'ftp://a.example', 'https://a/?b', 'https://a/#b', 'https://u:p@a']) {
    expect(() => readConfig({ REDPEN_PUBLIC_URL: url })).toThrow('REDPEN_PUBLIC_URL: must');
  }
});

test('lists of hosts are split and checked entry by entry', () => {
  const env = {
    REDPEN_ALLOW_HOSTS: ' a.example , *.b.example:8080,10.0.0.0/8,,::1',
    REDPEN_TRUST_PROXY: '::1/128,10.0.0.0/8',
    REDPEN_TRUST_CERTIFICATES: 'staging.example.com, *.test.example:8443',
  };
  expect(readConfig(env)).toMatchObject({
    REDPEN_ALLOW_HOSTS: ['a.example', '*.b.example:8080', '10.0.0.0/8', '::1'],
    REDPEN_TRUST_PROXY: ['::1/128', '10.0.0.0/8'],
    REDPEN_TRUST_CERTIFICATES: ['staging.example.com', '*.test.example:8443'],
  });
  for (const entry of ['10.0.0.0/8', '*.com', '*', 'https://staging.example.com'])
    expect(() => readConfig({ REDPEN_TRUST_CERTIFICATES: entry })).toThrow('REDPEN_TRUST_CERTIFICATES');
  for (const entry of ['10.0.0.0/33', '10.0.0.1/', 'x', '::1/129', '10.0.0.0/8/8']) {
    expect(() => readConfig({ REDPEN_TRUST_PROXY: entry })).toThrow(
      `must be addresses or ranges such as 10.0.0.0/8, and ${entry} is none`,
    );
  }
});

test('models have the name of their provider, and addresses of providers have no password', () => {
  const env = {
    REDPEN_MODEL: 'openai/org/model:8b',
    REDPEN_MODELS: 'claude/a, gemini/b',
    OPENAI_API_KEY: 'k',
  };
  expect(readConfig(env)).toMatchObject({
    REDPEN_MODEL: 'openai/org/model:8b',
    REDPEN_MODELS: ['claude/a', 'gemini/b'],
  });
  expect(() => readConfig({ REDPEN_MODEL: 'gpt-5' })).toThrow('REDPEN_MODEL: must be provider/model');
  expect(() => readConfig({ REDPEN_MODELS: 'claude/a,gpt-5' })).toThrow('Not provider/model: gpt-5');
  const secret = { OPENAI_BASE_URL: 'https://me:hunter2@models.example/v1' };
  expect(() => readConfig(secret)).toThrow(/OPENAI_BASE_URL: must not contain a user name or password$/m);
});

test('prices of models are numbers for a million tokens', () => {
  const text = 'openai/org/model:8b=0.2/1, claude/a=3/15';
  expect([...readConfig({ REDPEN_MODEL_PRICES: text }).REDPEN_MODEL_PRICES]).toEqual([
    ['openai/org/model:8b', { input: 0.2, output: 1 }],
    ['claude/a', { input: 3, output: 15 }],
  ]);
  for (const entry of ['gpt-5=1/2', 'openai/a=1', 'openai/a=-1/2', 'openai/a=1/x', 'openai/a'])
    expect(() => readConfig({ REDPEN_MODEL_PRICES: entry })).toThrow(
      `must be prices such as openai/gpt-5=1.25/10, and ${entry} is none`,
    );
  expect(() => readConfig({ REDPEN_MODEL_PRICES: 'claude/a=1/2,claude/a=1/3' })).toThrow(
    'has two prices for claude/a',
  );
});

test.each(wrongSettings)('$env is refused with its name, value and rule', (wrong) => {
  let message = '';
  try {
    readConfig(wrong.env);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(lineOf(wrong));
  expect(message).not.toContain(SECRET);
});
