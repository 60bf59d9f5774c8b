import { CREDENTIALS } from './security-schemes.ts';

const answer = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});

const unavailable = answer('`UNAVAILABLE`: The database cannot be reached.', {
  $ref: '#/components/schemas/Failure',
});

const sentences = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

export const readiness = {
  type: 'object',
  required: ['status', 'faults', 'warnings', 'checks'],
  properties: {
    status: {
      type: 'string',
      enum: ['ready', 'degraded', 'not ready'],
      description:
        '`degraded`: requests are answered, but a dependency of some work fails, such as the browser.',
    },
    faults: sentences('Faults that make the process unready, as sentences.'),
    warnings: sentences(
      'Dependencies that fail or work that is slow, as sentences: for example a browser that does not start, with its setting, or a queue that exceeds the capacity of its workers.',
    ),
    checks: {
      type: 'array',
      description: 'Results of background checks of the dependencies that the process needs for its roles.',
      items: {
        type: 'object',
        required: ['name', 'status', 'since'],
        properties: {
          name: {
            type: 'string',
            description:
              'Name of the check, such as `browser`, `fonts`, `files`, `model`, `embeddings`, `mail` or `redis`.',
          },
          status: { type: 'string', enum: ['ok', 'warning', 'failed', 'skipped'] },
          message: { type: 'string', description: 'The problem, without paths and addresses.' },
          since: { type: 'integer', description: 'When the check got this status, in epoch milliseconds.' },
        },
      },
    },
  },
};

const readinessRef = { $ref: '#/components/schemas/Readiness' };

const probe = (operationId: string, summary: string, description: string, responses: object) => ({
  get: {
    operationId,
    summary,
    description,
    tags: ['service'],
    'x-redpen-credentials': CREDENTIALS.public,
    security: [],
    responses,
  },
});

/** Paths for monitoring, without envelope and credentials. */
export const probes = {
  '/live': probe(
    'live',
    'Check that the process answers.',
    'For supervisors that restart a process that hangs, such as the liveness probe of Kubernetes. Looks at no dependency: a restart does not bring the database back, and ends the work of the process.',
    {
      '200': answer('The process answers.', {
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', const: 'ok' } },
      }),
    },
  ),
  '/health': probe(
    'health',
    'Check that the process is up and can reach its database.',
    'For monitoring. Does not look at other dependencies, such as the browser or the queues; /ready does.',
    {
      '200': answer('The process is up.', {
        type: 'object',
        required: ['status', 'version', 'commit'],
        properties: {
          status: { type: 'string', const: 'ok' },
          version: { type: 'string', description: 'Version of Redpen.' },
          commit: {
            type: ['string', 'null'],
            description: 'Commit of the checkout or the image; null if unknown.',
          },
        },
      }),
      '503': unavailable,
    },
  ),
  '/ready': probe(
    'ready',
    'Check that the process does all of its work.',
    'For load balancers: send requests to this process unless the status is 503. Dependencies such as the browser are checked in the background and not by this request. The answer takes at most 5 seconds.',
    {
      '200': answer('The process is ready or `degraded`.', readinessRef),
      '503': answer('The process is not ready, or is about to stop.', readinessRef),
    },
  ),
  '/metrics': probe(
    'metrics',
    'Get metrics in the Prometheus text format.',
    'Each process returns its own metrics, so collect them from every one. Needs no credentials: do not publish it.',
    {
      '200': {
        description: 'One metric per line.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      '503': unavailable,
    },
  ),
  '/.well-known/jwks.json': probe(
    'jwks',
    'Get the public keys of user tokens (RFC 7517).',
    'With these keys, your own services can verify user tokens. Select the key by the `kid` of the token; a retired key remains in the set until all tokens that it signed have expired. Caches may keep the set for a minute.',
    {
      '200': answer('A JWK set.', {
        type: 'object',
        required: ['keys'],
        properties: { keys: { type: 'array', items: { type: 'object' } } },
      }),
      '503': unavailable,
    },
  ),
  '/': probe(
    'root',
    'Redirect browsers to the reference, and return its address to other clients.',
    'The `accept` header decides: clients that accept `text/html` are redirected.',
    {
      '200': answer('Name of the service and the address of its reference, relative to this address.', {
        type: 'object',
        required: ['result'],
        properties: {
          result: {
            type: 'object',
            required: ['status', 'message', 'data'],
            properties: {
              status: { type: 'string', const: 'success' },
              message: { type: 'string' },
              data: {
                type: 'object',
                required: ['version', 'reference', 'openapi', 'health'],
                properties: {
                  version: { type: 'string' },
                  reference: { type: 'string', description: 'Page of all operations, for people.' },
                  openapi: { type: 'string', description: 'OpenAPI document, for programs.' },
                  health: { type: 'string' },
                },
              },
            },
          },
        },
      }),
      '302': { description: 'Redirects clients that accept HTML to the reference.' },
    },
  ),
  '/openapi.json': probe(
    'openapi',
    'Get this document.',
    'Describes the operations of the running version. Supports `if-none-match` and gzip, and limits how often an address may load it.',
    {
      '200': answer('OpenAPI 3.1.', { type: 'object' }),
    },
  ),
};
