import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type FakeModels, fakeModels, type Question } from '../fakes/models/fake-models.ts';
import { fakeSite } from '../fakes/site.ts';
import { atEnd } from '../run/at-end.ts';
import { expectLog } from '../run/log-watch.ts';
import { ownService } from '../service/worker-service.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';

const HTML = `<!doctype html><html lang="en"><title>Boats</title><body><main><h1>Boats</h1>
<p>We build boats.</p><a href="/gone">Gone</a></main></body></html>`;

let stage: ConsoleStage;
let site: Awaited<ReturnType<typeof fakeSite>>;
let models: FakeModels;
/** Set while the model answers what no question asks for. */
let isConfused = false;

const demo = (id: string, expected: string) => ({
  id,
  title: `A page that is ${expected}`,
  tier: 'obvious_match',
  dimension_tested: 'tax',
  html: '<p>Only 49 a month</p>',
  expected,
  reason: 'The tax is not named.',
});

/** Answers by the field of the schema that only one kind of question has. */
const ANSWERS: Record<string, object> = {
  records: { answer: 'We reject them.', records: ['R1'], confidence: 0.9 },
  suggestion_type: {
    requirement: 'Do prices of services count?',
    context: 'Reviewers would differ.',
    suggestion: ['Goods only', 'Goods and services'],
    suggestion_type: 'single-select',
  },
  cases: {
    analysis_prompt: '# Objective: prices without tax',
    requires_tool: 'NONE',
    response_descriptions: [{ field: 'title', description: 'The price.' }],
    detection_dimensions: ['tax'],
    cases: [demo('a', 'detected'), demo('b', 'not_detected')],
    suggested_required_inputs: [],
  },
  analysis_prompt: {
    analysis_prompt: '# Objective: prices of goods without tax',
    response_descriptions: [{ field: 'title', description: 'The price and what it is for.' }],
  },
};

const answerTo = ({ schema }: Question): object => {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return isConfused ? {} : (Object.entries(ANSWERS).find(([name]) => name in properties)?.[1] ?? {});
};

beforeAll(async () => {
  site = await fakeSite({ '/': HTML });
  models = await fakeModels((question) => ({ json: answerTo(question) }));
  atEnd(() => models.close());
  const settings = { ANTHROPIC_BASE_URL: models.url('claude'), ANTHROPIC_API_KEY: 'key-of-the-test' };
  stage = await createConsoleStage(await ownService(settings));
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const saved = (page: Page) => page.getByText('All changes are saved.').waitFor();

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await button(page, menu).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('an agent begins like a built-in one, is edited as form and JSON, compared, restored and tried', async () => {
  const { page, call } = await stage.open('/agents');
  await choose(page, 'Actions of Broken links', 'Start an agent of your own');
  await page.getByLabel('Name', { exact: true }).fill('Links of our docs');
  await button(page, 'Create agent').click();
  await page.getByRole('heading', { level: 1, name: 'Links of our docs' }).waitFor();
  const agentId = /agents\/(agent_\w+)/.exec(page.url())![1]!;
  const read = async () => (await call('/v2/agents/get', { agentId })).agent;

  // What was typed stays when the service refuses it, with the reason at its field.
  await page.getByText('More', { exact: true }).click();
  const timeout = page.getByLabel('Phase timeout (ms)');
  await timeout.fill('-5');
  expectLog(/Failed to load resource.*\b400\b/);
  await button(page, 'Save').click();
  await page.getByText('Must be at least 1.').waitFor();
  expect(await timeout.inputValue()).toBe('-5');
  await timeout.fill('60000');
  await button(page, 'Save').click();
  await saved(page);
  expect(await read()).toMatchObject({ version: 2, phaseTimeoutMs: 60_000 });

  await page.getByRole('tab', { name: 'JSON' }).click();
  const code = page.getByRole('textbox', { name: 'Configuration as JSON' });
  const { phaseTimeoutMs: _, ...draft } = JSON.parse((await code.innerText()).replace(/\u200b/g, ''));
  const write = async (text: string): Promise<void> => {
    await code.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  await write('{ "name": ');
  await page.getByText(/This is no JSON yet/).waitFor();
  await write(JSON.stringify({ ...draft, scope: { pageScope: ['/docs/**'] } }));
  await button(page, 'Save').click();
  await saved(page);
  const edited = await read();
  expect(edited).toMatchObject({ version: 3, scope: { pageScope: ['/docs/**'] } });
  expect(edited.phaseTimeoutMs).toBeUndefined();

  await page.getByRole('tab', { name: /Versions/ }).click();
  const diff = page.getByRole('region', { name: 'Differences' });
  await diff.getByText(/Removed:.*phaseTimeoutMs/).waitFor();
  await diff.getByText(/docs/).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Version 2' })
    .getByRole('button', { name: 'Restore' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Version 2 is restored as version 4.').waitFor();
  expect(await read()).toMatchObject({ version: 4, phaseTimeoutMs: 60_000 });

  await page.getByRole('tab', { name: /Configuration/ }).click();
  await page.getByLabel('Page', { exact: true }).fill(`${site.url}/`);
  await button(page, 'Try it').click();
  await page.getByText(/1 finding in/).waitFor();
  await page.getByText(/Broken \(HTTP 404\)/).waitFor();
});

test('a model asks what instructions leave open, structures them and refines them, each time once', async () => {
  expectLog(/does not fit the schema/);
  const { page, call } = await stage.open('/agents/new?from=blank');
  await page.getByLabel('Name', { exact: true }).fill('Prices');
  const instructions = page.getByLabel('Instructions', { exact: true });
  await instructions.fill('Prices include tax.');
  await button(page, 'Create agent').click();
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
  const dialog = page.getByRole('dialog');
  // A browser that has lost its network reaches a service on its own machine all the same.
  await page.evaluate(() => globalThis.dispatchEvent(new Event('offline')));

  // What the model answers in vain is said, and asked again by a person only.
  isConfused = true;
  for (const line of [/Failed to load resource.*\b503\b/, /prompt\/enhance","status":503/]) expectLog(line);
  const before = models.requests.length;
  await button(page, 'What is missing?').click();
  await dialog.getByText(/The answer of the model could not be used/).waitFor();
  // The service itself lets the model mend an answer once.
  expect(models.requests.length - before).toBe(2);
  isConfused = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Goods and services').click();
  await button(page, 'Add to the instructions').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await instructions.inputValue()).toBe(
    'Prices include tax.\n\nDo prices of services count?\nGoods and services',
  );

  await button(page, 'Structure and test cases').click();
  await dialog.getByText('# Objective: prices without tax').waitFor();
  await dialog.getByText('No finding is expected').waitFor();
  await dialog.getByLabel('Correction').first().fill('Only goods count.');
  await button(page, 'Refine by the correction').click();
  await dialog.getByText('# Objective: prices of goods without tax').waitFor();
  await button(page, 'Use these instructions').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await instructions.inputValue()).toBe('# Objective: prices of goods without tax');
  await button(page, 'Save').click();
  await saved(page);
  const agentId = /agents\/(agent_\w+)/.exec(page.url())![1]!;
  const { agent } = await call('/v2/agents/get', { agentId });
  expect(agent).toMatchObject({
    version: 2,
    instructions: '# Objective: prices of goods without tax',
    rawInstructions: 'Prices include tax.\n\nDo prices of services count?\nGoods and services',
    execution: { responseDescriptions: { title: 'The price and what it is for.' } },
  });
});

test('a schedule is created, started at once, switched off and deleted', async () => {
  const { page } = await stage.open('/schedules');
  await button(page, 'New schedule').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Docs every week');
  await dialog.getByText('Every Monday at 07:00.').waitFor();
  expect(await dialog.locator('ol time').count()).toBe(5);
  await dialog.getByLabel('Pages', { exact: true }).fill(`${site.url}/`);
  await button(page, /Before a launch/).click();
  await page.getByRole('option', { name: 'No preset' }).click();
  await dialog.getByText('Broken links', { exact: true }).click();
  await dialog.getByLabel('Pages at most').fill('2.5');
  await dialog.getByLabel('Organization id').fill('acme');
  await button(page, 'Create schedule').click();
  await dialog.getByText('Write a whole number from 1 to 10,000.').waitFor();
  await dialog.getByText('Write a document too, or no organization.').waitFor();
  await dialog.getByLabel('Pages at most').fill('2');
  await dialog.getByLabel('Organization id').fill('');
  await button(page, 'Create schedule').click();
  const row = page.getByRole('row').filter({ hasText: 'Docs every week' });
  await row.getByText('Every Monday at 07:00').waitFor();

  await choose(page, 'Actions of Docs every week', 'Start now');
  await row.getByText('Findings').waitFor();
  await choose(page, 'Actions of Docs every week', 'Disable');
  await row.getByText('Disabled').waitFor();
  await choose(page, 'Actions of Docs every week', 'Delete');
  await button(page, 'Delete schedule').click();
  await page.getByText('No schedules yet').waitFor();
});

test('the memory answers, predicts, shows judgments, and reads files', async () => {
  const { page, call } = await stage.open('/memory');
  await call('/v2/memory/judgments/add', {
    judgments: ['eva', 'tom', 'mia'].map((userId, index) => ({
      id: `judgment-${index}`,
      decision: 'reject',
      reasoning: 'Prices are shown with tax.',
      content: 'Only 49 a month',
      contentType: 'price',
      actionUser: { userId, name: userId },
      organizationId: 'acme',
      documentId: 'website',
    })),
  });
  await page.getByLabel('Question').fill('What did we decide on prices without tax?');
  await button(page, 'Ask').click();
  await page.getByText('We reject them.').waitFor();
  await page.getByLabel('What is to be decided').fill('A price is shown without tax.');
  await button(page, 'Predict').click();
  await page.getByText(/% likely/).waitFor();

  await page.getByRole('tab', { name: 'Judgments' }).click();
  await button(page, 'Prices are shown with tax.').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'acme / website' }).waitFor();
  await button(page, 'Revoke').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The newest first: 2 judgments').waitFor();

  await page.getByRole('tab', { name: 'Knowledge' }).click();
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Upload a file').click();
  const buffer = Buffer.from('# Prices\n\nPrices include tax.\n');
  await (await chooser).setFiles({ name: 'guide.md', mimeType: '', buffer });
  const row = page.getByRole('row').filter({ hasText: 'guide.md' });
  await row.getByText('Ready').waitFor();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('knowledge');
  await choose(page, 'Actions of guide.md', 'Delete');
  await button(page, 'Delete file').click();
  await page.getByText('No knowledge yet').waitFor();
});
