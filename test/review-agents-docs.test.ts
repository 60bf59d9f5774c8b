import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { builtinAgents } from '../src/review/agents/builtin/index.ts';
import { gatherNames, gatherOptions } from '../src/review/gather/index.ts';
import { agentBehavior } from '../src/shapes/agents/agent-behavior.ts';
import { executionStatus, logLine } from '../src/shapes/agents/execution-record.ts';
import { tableRows } from './house/docs-tables.ts';

const docs = readFileSync(join(import.meta.dirname, '../docs/review-agents.md'), 'utf8');

const rowsOf = (heading: string): string[][] => tableRows(docs, heading);
const inCode = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const listed = (heading: string): string[] => rowsOf(heading).map(([cell]) => inCode(cell!)[0]!);

test('the tables of docs/review-agents.md are complete', () => {
  expect(listed('`contextGathering.strategies`').sort()).toEqual([...gatherNames].sort());
  const options = Object.fromEntries(
    rowsOf('`contextGathering.strategies`').map(([name, , keys]) => [
      inCode(name!)[0]!,
      inCode(keys!).sort(),
    ]),
  );
  for (const [name, schema] of gatherOptions) {
    expect([name, options[name]]).toEqual([name, Object.keys((schema as z.ZodObject).shape).sort()]);
  }
  const strategies = agentBehavior.shape.execution.unwrap().shape.executionStrategy.unwrap().options;
  expect(listed('`execution.executionStrategy`').sort()).toEqual([...strategies].sort());
  expect(listed('Agent').sort()).toEqual(builtinAgents.map(({ agentId }) => agentId).sort());
  expect(listed('`status`').sort()).toEqual([...executionStatus.options].sort());
  expect(listed('`kind`').sort()).toEqual([...logLine.shape.kind.options].sort());
});

test('docs/review-agents.md says which built-in agents need a model, and which are unlisted', () => {
  const rows = rowsOf('Agent').map(([name, model, finds]) => [
    inCode(name!)[0]!,
    model,
    finds!.endsWith('Unlisted.'),
  ]);
  const shape = z.object({
    execution: z.object({ executionStrategy: z.string(), modelOptional: z.boolean().optional() }),
  });
  const agents = builtinAgents.map(({ agentId, behavior, metadata }) => {
    const { executionStrategy, modelOptional } = shape.parse(behavior).execution;
    const model = executionStrategy === 'service' ? 'none' : modelOptional ? 'optional' : 'needed';
    return [agentId, model, metadata.internal === true];
  });
  expect(rows.sort()).toEqual(agents.sort());
});

test('docs/review-agents.md lists the error codes of runs', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/review/core/run-error.ts'), 'utf8');
  const union = /type RunFaultCode =([^;]+);/.exec(source)![1]!;
  const codes = [...union.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(5);
  expect(listed('`error.code`').sort()).toEqual([...codes, 'CANCELLED'].sort());
});

test('the links and settings in docs/review-agents.md exist', () => {
  const headings = [...docs.matchAll(/^## (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...docs.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!);
  expect(links.filter((link) => !headings.includes(link))).toEqual([]);
  expect(headings.filter((heading) => !links.includes(heading))).toEqual([]);
  const settings = readFileSync(join(import.meta.dirname, '../docs/running.md'), 'utf8');
  for (const [name] of docs.matchAll(/\bREDPEN_[A-Z_]+\b/g)) expect(settings).toContain(name);
});
