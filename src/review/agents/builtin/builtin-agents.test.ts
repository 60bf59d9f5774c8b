import { expect, test } from 'vitest';
import { BUILTIN_AGENTS } from '../../../shapes/agents/builtin-agents.ts';
import { builtinAgents } from './index.ts';

test('the list of built-in agents in shapes has the ids and names of their definitions, in the same order', () => {
  expect(BUILTIN_AGENTS).toEqual(builtinAgents.map(({ agentId, name }) => ({ agentId, name })));
});
