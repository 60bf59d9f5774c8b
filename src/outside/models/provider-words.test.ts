import { expect, test } from 'vitest';
import type { Reply } from '../../../test/fakes/models/fake-models.ts';
import { everyFormat, failure, stage } from '../../../test/fakes/models/stage.ts';
import { messageOfBody, publicWords } from './provider-words.ts';

/** What servers answer, and what the failure says about it. */
const answers: [string, Reply, string][] = [
  [
    'a wrong request',
    { status: 400, message: 'Images are not allowed.' },
    'refused the request (400: Images are not allowed)',
  ],
  [
    'a wrong key',
    { status: 401, message: 'Incorrect API key provided.' },
    'refused the request (401: Incorrect API key provided)',
  ],
  [
    'an account without money',
    { status: 403, message: 'No credit.' },
    'refused the request (403: No credit)',
  ],
  [
    'a model that is not there',
    { status: 404, body: '{"error":"model \'llama\' not found"}' },
    "refused the request (404: model 'llama' not found)",
  ],
  [
    'a body that is too large',
    {
      status: 413,
      body: '<html><head><title>413 Request Entity Too Large</title></head><body><center><h1>413 Request Entity Too Large</h1></center><hr><center>nginx</center></body></html>',
      headers: { 'content-type': 'text/html' },
    },
    'refused the request (413: an HTML page: 413 Request Entity Too Large 413 Request Entity Too Large nginx)',
  ],
  [
    'a validation error',
    { status: 422, body: '{"detail":[{"loc":["body","messages"],"msg":"Field required"}]}' },
    'refused the request (422: Field required)',
  ],
  ['a rate limit', { status: 429, message: 'Slow down.' }, 'limits the rate (429: Slow down)'],
  [
    'a failure',
    { status: 500, body: '{"message":"CUDA out of memory"}' },
    'failed (500: CUDA out of memory)',
  ],
  ['a gateway without a body', { status: 502, body: '' }, 'failed (502: Bad Gateway)'],
  [
    'plain text',
    { status: 503, body: 'no healthy upstream', headers: { 'content-type': 'text/plain' } },
    'failed (503: no healthy upstream)',
  ],
  [
    'a page instead of an answer',
    {
      garbage: '<!doctype html><title>Sign in</title><script>go()</script><h1>Sign in to the network</h1>',
      contentType: 'text/html',
    },
    'gave an answer that cannot be read (an HTML page: Sign in Sign in to the network)',
  ],
  [
    'text instead of a stream',
    { garbage: 'upstream gone' },
    'gave an answer that cannot be read (upstream gone)',
  ],
];

test.each(everyFormat)('the failure says what %s answered', async (_name, choice, options) => {
  let reply: Reply = { json: { findings: [] } };
  const { ask, notes } = await stage(() => reply, options);
  await ask(choice);
  for (const [what, answer, words] of answers) {
    reply = answer;
    notes.length = 0;
    const { message } = await failure(ask(choice));
    expect(message, what).toBe(`The provider ${words}.`);
    for (const note of notes) expect(note, what).toMatchObject({ reason: message });
  }
});

test('an error in a body with status 200 counts as one', async () => {
  const body = '{"error":{"message":"Insufficient credits","code":402}}';
  const { fake, ask } = await stage(() => ({ garbage: body, contentType: 'application/json' }));
  expect(await failure(ask({ provider: 'openai', model: 'any/model' }))).toMatchObject({
    kind: 'rejected',
    message: 'The provider refused the request (402: Insufficient credits).',
  });
  expect(fake.requests).toHaveLength(1);
});

test('words of a provider are short, and without keys and quotes of the prompt', () => {
  const confidential = {
    secrets: ['open sesame'],
    prompt: 'The secret plan of the customer is to sell the moon.',
  };
  expect(publicWords('Key open sesame or sk-1234567890abc is wrong.', confidential)).toBe(
    'Key … or … is wrong',
  );
  expect(
    publicWords('Cannot read: "The secret plan of the customer is to sell the moon."', confidential),
  ).toBe('Cannot read: "…"');
  expect(publicWords('The secret plan is refused', confidential)).toBe('The secret plan is refused');
  expect(publicWords('long '.repeat(1_000), confidential).length).toBeLessThanOrEqual(300);
});

test('the message of a body is found in every usual form', () => {
  expect(
    [
      '{"error":{"message":"a"}}',
      '[{"error":{"code":503,"message":"a","status":"UNAVAILABLE"}}]',
      '{"error":"a"}',
      '{"message":"a"}',
      '{"detail":"a"}',
      '{"error":null,"message":"a"}',
      ' a ',
    ].map(messageOfBody),
  ).toEqual(Array(7).fill('a'));
  expect(messageOfBody('{"code":7}')).toBe('{"code":7}');
});
