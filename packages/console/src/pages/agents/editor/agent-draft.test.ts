import { expect, test } from 'vitest';
import { changesBetween, draftFromBuiltin, draftOf, modelOfOwn } from './agent-draft.ts';

const agent = {
  id: 'agent_1',
  name: 'Reader',
  enabled: true,
  managedBy: 'customer',
  version: 3,
  executionCount: 1,
  lastExecutedAt: null,
  createdAt: 1,
  updatedAt: 2,
  metadata: {},
  instructions: 'Read.',
};

test('a draft has no facts and no empty metadata', () => {
  expect(draftOf(agent)).toEqual({ name: 'Reader', instructions: 'Read.' });
  expect(draftOf({ ...agent, metadata: { team: 'web' } })).toMatchObject({ metadata: { team: 'web' } });
});

test('a changed name makes no version, and changed instructions no update', () => {
  const draft = draftOf(agent);
  expect(changesBetween(draft, draft)).toEqual({});
  expect(changesBetween(draft, { ...draft, name: 'Other' })).toEqual({ identity: { name: 'Other' } });
  expect(changesBetween(draft, { ...draft, instructions: 'Look.' })).toEqual({
    behavior: { instructions: 'Look.' },
  });
});

test('another order of fields is no change', () => {
  const before = { name: 'Reader', execution: { executionStrategy: 'service', serviceId: 'crawler' } };
  const after = { execution: { serviceId: 'crawler', executionStrategy: 'service' }, name: 'Reader' };
  expect(changesBetween(before, after)).toEqual({});
});

test('what was cleared is sent so that it is removed', () => {
  const before = { name: 'Reader', description: 'Reads.', metadata: { team: 'web' }, instructions: 'Read.' };
  expect(changesBetween(before, { name: 'Reader' })).toEqual({
    identity: { description: '' },
    behavior: { metadata: {} },
  });
});

test('an own agent keeps the service of a built-in one if it may use it', () => {
  const builtin = {
    name: 'Broken links',
    description: 'Asks every link.',
    gatherStrategies: ['web-page-links'],
    executionStrategy: 'service',
    serviceId: 'broken-links',
  };
  expect(draftFromBuiltin(builtin, ['broken-links'])).toEqual({
    name: 'Broken links (own)',
    description: 'Asks every link.',
    contextGathering: { strategies: ['web-page-links'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  });
  expect(draftFromBuiltin({ ...builtin, serviceId: 'spell-check' }, ['broken-links'])).toMatchObject({
    instructions: 'Asks every link.',
    execution: { executionStrategy: 'ai' },
  });
});

test('an agent of one’s own needs a model where its service is not for own agents', () => {
  const one = { serviceId: 'broken-links', needsModel: 'none' };
  expect(modelOfOwn(one, ['broken-links'])).toBe('none');
  expect(modelOfOwn(one, ['spell-check'])).toBe('required');
  expect(modelOfOwn({ needsModel: 'optional' }, ['broken-links'])).toBe('required');
});
