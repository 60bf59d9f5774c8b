import { expect, test } from 'vitest';
import { missingChromium } from '../../outside/browser/find-chromium.ts';
import { createModels } from '../../outside/models/create-models.ts';
import { findBuiltin } from './builtin/index.ts';
import { describeBuiltin, whyUnavailable } from './describe-builtin.ts';

const reasonFor = async (agentId: string, missingBrowser?: string) => {
  const agent = findBuiltin(agentId)!;
  const facts = await describeBuiltin(agent);
  const models = createModels({ providers: { claude: {}, gemini: {}, openai: {} }, allowedModels: [] });
  return whyUnavailable(agent, { ...facts, enabled: true }, { missingBrowser, models });
};

test('without a model key, only agents that need a model are unavailable', async () => {
  expect(await reasonFor('grammar-check')).toMatch(/_API_KEY/);
  expect(await reasonFor('spell-check')).toBeUndefined();
  expect(await reasonFor('broken-links')).toBeUndefined();
});

test('without a browser, agents that read pages in one are unavailable', async () => {
  const missing = await missingChromium('/nowhere/chromium');
  expect(missing).toMatch(/^There is no browser: .*\/nowhere\/chromium/);
  expect(await reasonFor('spell-check', missing)).toBe(missing);
  expect(await reasonFor('crawler', missing)).toBeUndefined();
  expect(await missingChromium(undefined)).toBeUndefined();
});
