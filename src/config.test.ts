import { expect, test } from 'vitest';
import { BadConfig, listSettings, printSettings, readConfig } from './config.ts';

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

test('every bad value is named at once, secrets without their value', () => {
  const bad = {
    PORT: 'x',
    REDPEN_PLAN: 'gold',
    REDPEN_MASTER_KEY: 'hunter2',
    REDPEN_ROLES: 'api,cook',
    DATABASE_URL: 'mysql://u:hunter2@h/d',
    REDPEN_TYPO: '1',
    REDPEN_EMBEDDINGS: 'magic',
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

test('help names every setting with its meaning', () => {
  const help = printSettings();
  for (const { name, description } of listSettings()) {
    expect(description).not.toBe('');
    expect(help).toContain(name);
  }
});
