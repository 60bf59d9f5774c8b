import { expect, test } from 'vitest';
import { crossPage, field, many, paths } from '../../../../test/reviews/agent-problems.ts';

test.each<[string, Record<string, unknown>, string[]]>([
  ['an empty name', { name: '' }, ['name']],
  [
    'values of wrong types',
    { description: 1, rawInstructions: 1, instructions: null, enabled: 'yes', metadata: [] },
    ['rawInstructions', 'instructions', 'metadata', 'description', 'enabled'],
  ],
  [
    'a bad response',
    { response: { responseAdapter: 'x', useAiFormatting: 1, formattingPrompt: 1 } },
    ['response.useAiFormatting', 'response.formattingPrompt', 'response.responseAdapter'],
  ],
  [
    'stages that are not switches',
    {
      postProcess: {
        guardrails: { enabled: 'no' },
        annotations: { strategy: 'some' },
        customProcessors: [1],
      },
    },
    ['postProcess.guardrails.enabled', 'postProcess.annotations.strategy', 'postProcess.customProcessors.0'],
  ],
  [
    'bad inputs',
    { input: { variableKeys: [1], inputRequirements: { requires: 'url' }, supportedVariables: 'x' } },
    ['input.variableKeys.0', 'input.inputRequirements.requires', 'input.supportedVariables'],
  ],
  [
    'a bad context field',
    field({ id: '', title: '', type: 'date', required: 1, example: 1, defaultValue: [] }),
    ['id', 'title', 'type', 'required', 'example', 'defaultValue'].map(
      (name) => `input.userContextFields.0.${name}`,
    ),
  ],
  [
    'a context field twice',
    { input: { userContextFields: many(2, () => ({ id: 'f', title: 'F', type: 'string' })) } },
    ['input.userContextFields.1.id'],
  ],
  ['too many globs', { scope: { pageScope: many(201, () => 'x') } }, ['scope.pageScope']],
  ['too long a glob', { scope: { pageScopeExclude: ['x'.repeat(201)] } }, ['scope.pageScopeExclude.0']],
  [
    'an empty crossPage',
    { scope: { crossPage: {} } },
    ['enabled', 'targetProperty', 'pageDiscovery'].map((name) => `scope.crossPage.${name}`),
  ],
  ['a bad discovery', crossPage({ pageDiscovery: 'guess' }), ['scope.crossPage.pageDiscovery']],
  [
    'a bad setup',
    {
      setup: {
        setupSamples: [{ content: 'c', source: 'dream', findings: [] }],
        checklistOrigin: { checklistId: 'c', checklistVersion: -1, sectionRefs: [], memoryRuleIds: [] },
      },
    },
    ['setup.setupSamples.0.source', 'setup.checklistOrigin.checklistVersion'],
  ],
  ['no time for a phase', { phaseTimeoutMs: 0 }, ['phaseTimeoutMs']],
])('%s is refused', (_name, agent, expected) => {
  expect(paths(agent).sort()).toEqual([...expected].sort());
});
