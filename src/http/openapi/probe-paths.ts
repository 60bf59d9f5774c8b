const answer = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});

const unavailable = answer('`UNAVAILABLE`: The database cannot be reached.', {
  $ref: '#/components/schemas/Failure',
});

const sentences = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const readiness = {
  type: 'object',
  required: ['status', 'faults', 'warnings', 'checks'],
  properties: {
    status: {
      enum: ['ready', 'degraded', 'not ready'],
      description:
        '`degraded`: requests are answered, and something that some work needs fails, such as the browser.',
    },
    faults: sentences('What keeps the process from its work, in words.'),
    warnings: sentences(
      'What fails or is slow, in words: a browser that does not start, with the setting; a queue with more to do than processes to do it.',
    ),
    checks: {
      type: 'array',
      description: 'What was found in the background of what the process depends on, with its roles.',
      items: {
        type: 'object',
        required: ['name', 'status', 'since'],
        properties: {
          name: {
            type: 'string',
            description: 'Such as `browser`, `fonts`, `files`, `model`, `embeddings`, `mail`, `redis`.',
          },
          status: { enum: ['ok', 'warning', 'failed', 'skipped'] },
          message: { type: 'string', description: 'What is wrong, without paths and addresses.' },
          since: { type: 'integer', description: 'Since when it has this status, in epoch milliseconds.' },
        },
      },
    },
  },
};

const probe = (operationId: string, summary: string, responses: object) => ({
  get: { operationId, summary, tags: ['service'], security: [], responses },
});

/** Paths for monitoring, which have neither envelope nor credentials. */
export const probes = {
  '/health': probe('health', 'Tell whether the process is up and its store can be reached.', {
    '200': answer('It is.', {
      type: 'object',
      required: ['status', 'version', 'commit'],
      properties: {
        status: { const: 'ok' },
        version: { type: 'string', description: 'Version of Redpen.' },
        commit: {
          type: ['string', 'null'],
          description:
            'Commit that it was checked out from, or that its image was made from; null where unknown.',
        },
      },
    }),
    '503': unavailable,
  }),
  '/ready': probe('ready', 'Tell whether the process does all of its work.', {
    '200': answer('It does, or is `degraded`.', readiness),
    '503': answer('It does not, or is about to stop.', readiness),
  }),
  '/metrics': probe('metrics', 'Measurements, in the text format of Prometheus.', {
    '200': {
      description: 'One measurement a line.',
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
    '503': unavailable,
  }),
  '/.well-known/jwks.json': probe('jwks', 'Public keys that user tokens are signed with (RFC 7517).', {
    '200': answer('A JWK set.', {
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: { type: 'object' } } },
    }),
    '503': unavailable,
  }),
  '/': probe('root', 'Lead to the reference: browsers at once, other clients by its address.', {
    '200': answer('What this is and where its reference is, relative to this address.', {
      type: 'object',
      required: ['result'],
      properties: {
        result: {
          type: 'object',
          required: ['status', 'message', 'data'],
          properties: {
            status: { const: 'success' },
            message: { type: 'string' },
            data: {
              type: 'object',
              required: ['version', 'reference', 'openapi', 'health'],
              properties: {
                version: { type: 'string' },
                reference: { type: 'string', description: 'Page of all operations, for people.' },
                openapi: { type: 'string', description: 'The same for programs.' },
                health: { type: 'string' },
              },
            },
          },
        },
      },
    }),
    '302': { description: 'To the reference, for clients that accept HTML.' },
  }),
  '/openapi.json': probe('openapi', 'This document.', { '200': answer('OpenAPI 3.1.', { type: 'object' }) }),
};
