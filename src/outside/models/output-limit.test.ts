import { expect, test } from 'vitest';
import { everyFormat, failure, one, stage } from '../../../test/fakes/models/stage.ts';

const largeBudget = { left: () => 2_000_000, spend: () => {} };

test.each(everyFormat)(
  'no limit is sent to %s unless its API demands one',
  async (_name, choice, options) => {
    const { fake, ask } = await stage(() => ({ json: one }), options);
    await ask(choice, { budget: largeBudget });
    expect(fake.requests.at(-1)!.question!.maxOutputTokens).toBe(
      choice.provider === 'claude' ? 32_000 : undefined,
    );
  },
);

test('a known model of Anthropic gets its own limit', async () => {
  const { fake, ask } = await stage(() => ({ json: one }));
  await ask({ provider: 'claude', model: 'claude-3-haiku-20240307' }, { budget: largeBudget });
  expect(fake.requests[0]!.question!.maxOutputTokens).toBe(4_096);
});

test.each(everyFormat)("%s gets the operator's limit", async (_name, choice, options) => {
  const { fake, ask } = await stage(() => ({ json: one }), {
    ...options,
    settings: { maxOutputTokens: 3_000 },
  });
  await ask(choice, { budget: largeBudget });
  expect(fake.requests.at(-1)!.question!.maxOutputTokens).toBe(3_000);
});

test('a server that accepts no such limit is asked without it, from then on', async () => {
  const { fake, ask } = await stage(({ maxOutputTokens }) =>
    maxOutputTokens === undefined
      ? { json: one }
      : {
          status: 400,
          message: `'max_tokens' is too large: ${maxOutputTokens}. The context has 4096 tokens.`,
        },
  );
  const local = { provider: 'openai', model: 'llama' } as const;
  const budget = { left: () => 20_000, spend: () => {} };
  expect((await ask(local, { budget })).data).toEqual(one);
  expect((await ask(local, { budget })).data).toEqual(one);
  expect(fake.requests.map(({ question }) => question?.maxOutputTokens)).toEqual([
    20_000,
    undefined,
    undefined,
  ]);
});

test('a model of Anthropic is asked again with the limit that its refusal names', async () => {
  const { fake, ask } = await stage(({ maxOutputTokens = 0 }) =>
    maxOutputTokens <= 8_192
      ? { json: one }
      : {
          status: 400,
          message: `max_tokens: ${maxOutputTokens} > 8192, which is the maximum allowed number of output tokens`,
        },
  );
  const own = { provider: 'claude', model: 'of-our-own' } as const;
  expect((await ask(own)).data).toEqual(one);
  expect((await ask(own)).data).toEqual(one);
  expect(fake.requests.map(({ question }) => question?.maxOutputTokens)).toEqual([32_000, 8_192, 8_192]);
});

test.each(everyFormat)("a refusal of the operator's limit by %s says so", async (_name, choice, options) => {
  const { fake, ask } = await stage(
    () => ({ status: 400, message: 'max_tokens is too large: at most 4096 are allowed.' }),
    { ...options, settings: { maxOutputTokens: 500_000 } },
  );
  const error = await failure(ask(choice));
  expect(error).toMatchObject({ kind: 'rejected', retryable: false });
  expect(error.message).toMatch(
    /^The provider refused the request \(400: max_tokens is too large: at most 4096 are allowed\)\. The limit of 500000 output tokens was sent \(REDPEN_MODEL_OUTPUT_TOKENS\)\.$/,
  );
  expect(fake.requests.filter(({ question }) => question)).toHaveLength(1);
});

test.each(everyFormat)(
  'an answer of %s that a limit cuts off names the limit',
  async (_name, choice, options) => {
    const { ask } = await stage(() => ({ text: '{"findings":[', cutShort: true }), options);
    expect((await failure(ask(choice))).message).toBe(
      `The answer of the model could not be used: it is too long and was cut off ${
        choice.provider === 'claude' ? 'at the limit of 32000 output tokens' : 'by a limit of the provider'
      }.`,
    );
  },
);
