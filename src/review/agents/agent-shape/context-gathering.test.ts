import { expect, test } from 'vitest';
import { endpoint, gather, many, paths, REST, restApi } from '../../../../test/reviews/agent-problems.ts';

test.each<[string, Record<string, unknown>, string[]]>([
  ['no strategy', { contextGathering: { strategies: [] } }, ['contextGathering.strategies']],
  [
    'an unknown strategy',
    { contextGathering: { strategies: ['telepathy'] } },
    ['contextGathering.strategies.0'],
  ],
  ['rest-api without options', { contextGathering: { strategies: ['rest-api'] } }, [REST]],
  [
    'computed-styles without options',
    { contextGathering: { strategies: ['computed-styles'] } },
    ['contextGathering.strategyOptions.computed-styles'],
  ],
  [
    'computed-styles without selectors',
    gather('computed-styles', {}),
    ['contextGathering.strategyOptions.computed-styles.selectors'],
  ],
  [
    'a bad device',
    gather('web-page-text', { deviceType: 'watch' }),
    ['contextGathering.strategyOptions.web-page-text.deviceType'],
  ],
  [
    'a bad wait condition',
    gather('web-page-screenshot', { waitUntil: 'soon' }),
    ['contextGathering.strategyOptions.web-page-screenshot.waitUntil'],
  ],
  [
    'a bad form factor',
    gather('lighthouse', { formFactor: 'tv' }),
    ['contextGathering.strategyOptions.lighthouse.formFactor'],
  ],
  [
    'bad options of a strategy that is not used',
    { contextGathering: { strategyOptions: { 'sitemap-data': { maxEntries: 'x' } } } },
    ['contextGathering.strategyOptions.sitemap-data.maxEntries'],
  ],
  ['no endpoint', gather('rest-api', { endpoints: [] }), [`${REST}.endpoints`]],
  ['eleven endpoints', gather('rest-api', { endpoints: many(11, () => endpoint) }), [`${REST}.endpoints`]],
  [
    'an endpoint without description and url',
    gather('rest-api', { endpoints: [{}] }),
    [`${REST}.endpoints.0.description`, `${REST}.endpoints.0.url`],
  ],
  [
    'too large a response',
    gather('rest-api', { endpoints: [endpoint], maxResponseBytes: 5_000_001 }),
    [`${REST}.maxResponseBytes`],
  ],
  [
    'an endpoint past its limits',
    restApi({ cacheTtlSeconds: 86_401, timeoutMs: 30_001, method: 'TRACE', url: 'ftp://x/' }),
    [
      `${REST}.endpoints.0.url`,
      `${REST}.endpoints.0.method`,
      `${REST}.endpoints.0.cacheTtlSeconds`,
      `${REST}.endpoints.0.timeoutMs`,
    ],
  ],
  [
    'an endpoint id twice',
    gather('rest-api', {
      endpoints: [
        { ...endpoint, id: 'a' },
        { ...endpoint, id: 'a' },
      ],
    }),
    [`${REST}.endpoints.1.id`],
  ],
  ['an unknown auth', restApi({ auth: { type: 'oauth' } }), [`${REST}.endpoints.0.auth.type`]],
  ['a bearer without token', restApi({ auth: { type: 'bearer' } }), [`${REST}.endpoints.0.auth.token`]],
  [
    'basic without password',
    restApi({ auth: { type: 'basic', username: 'u' } }),
    [`${REST}.endpoints.0.auth.password`],
  ],
  [
    'a line break in a header',
    restApi({ auth: { type: 'header', headers: { a: 'b\r\nc: d' } } }),
    [`${REST}.endpoints.0.auth.headers.a`],
  ],
  [
    'a redacted secret with nothing stored',
    restApi({ auth: { type: 'bearer', token: '__redacted__' } }),
    [`${REST}.endpoints.0.auth.token`],
  ],
])('%s is refused', (_name, agent, expected) => {
  expect(paths(agent).sort()).toEqual([...expected].sort());
});
