import { expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { stageModels } from '../../../test/reviews/model-stage.ts';
import { newWorkspace } from '../../../test/service/harness.ts';

const ASK = '/v2/rewriter/ask-ai';
const task = { prompt: 'Shorten.', text: 'A long text.' };

test('the provider is chosen by the name of the model', async () => {
  const w = await newWorkspace();
  const fake = await fakeModels(() => ({ text: 'Short.' }));
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  for (const [model, provider] of [
    ['gpt-5.6-luna', 'openai'],
    ['claude-sonnet-5', 'claude'],
    ['gemini-3.6-flash', 'gemini'],
  ]) {
    const { status, body } = await w.post(ASK, { model, ...task });
    expect([status, body]).toEqual([200, { result: { success: true, text: 'Short.' } }]);
    const question = fake.requests.at(-1)!.question!;
    expect(question).toMatchObject({ provider, model, texts: ['A long text.'] });
    expect(question.system).toContain('Shorten.');
  }
  await w.post(ASK, { model: 'o3-mini', ...task });
  expect(fake.requests.at(-1)!.question).toMatchObject({ system: '', texts: ['Shorten.\n\nA long text.'] });
});

test('a failing or missing provider is reported with status 200', async () => {
  const w = await newWorkspace();
  expect(await w.post(ASK, { model: 'o4-mini', ...task })).toMatchObject({
    status: 200,
    body: { result: { success: false, error: 'No API key configured for provider: OpenAI' } },
  });
  const fake = await fakeModels(() => ({ status: 400, message: 'No such model.' }), {
    settings: { allowedModels: ['openai/gpt-5.6-luna'] },
  });
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  const failed = await w.post(ASK, { model: 'gpt-5.6-luna', ...task });
  expect([failed.status, failed.body.result.success]).toEqual([200, false]);
  expect(failed.body.result.error).toMatch(/\.$/);
  const other = await w.post(ASK, { model: 'gpt-9', ...task });
  expect(other.body.result.error).toContain('REDPEN_MODELS');
});

test('a model without a known provider is refused', async () => {
  const w = await newWorkspace();
  for (const model of ['llama-3', 'gpt', 'o1x', 'constructor']) {
    const { status, body } = await w.post(ASK, { model, ...task });
    expect([model, status, body.error.status]).toEqual([model, 400, 'INVALID_ARGUMENT']);
  }
});
