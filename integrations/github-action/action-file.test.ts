import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, readAction } from '../../test/fakes/workflow-job.ts';

const folder = import.meta.dirname;
const action = readAction(join(folder, 'action.yml'));

test('no script contains an expression, and every expression names something that exists', () => {
  const { inputs, outputs, runs } = action;
  const known = new Set(['github.token', ...Object.keys(inputs).map((name) => `inputs.${name}`)]);
  const scripts = readFileSync(join(folder, 'steps.sh'), 'utf8');
  for (const step of runs.steps) {
    expect(step.run ?? '').not.toContain('${{');
    if (step.run) expect(step.shell).toBe('bash');
  }
  const ids = new Set(runs.steps.map(({ id }) => id));
  const expressions = [
    ...runs.steps.flatMap((step) => [
      ...(step.if ? [step.if] : []),
      ...[...Object.values(step.env ?? {}), ...Object.values(step.with ?? {})],
    ]),
    ...Object.values(outputs).map(({ value }) => value),
  ];
  const paths = expressions.flatMap((text) => text.match(/\b(?:inputs|steps|github)\.[\w.-]+/g) ?? []);
  const wrong = paths.filter((path) => {
    const [, id, name] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(path) ?? [];
    return id === undefined ? !known.has(path) : !ids.has(id) || name === undefined;
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(inputs).filter((name) => !paths.includes(`inputs.${name}`))).toEqual([]);
  const variables = new Set(runs.steps.flatMap(({ env }) => Object.keys(env ?? {})));
  const read = `${scripts}\n${readFileSync(join(folder, '../review-arguments.sh'), 'utf8')}\n${readFileSync(join(folder, '../comment/post-comment.ts'), 'utf8')}`;
  expect([...variables].filter((name) => name.startsWith('REVIEW_') && !read.includes(name))).toEqual([]);
});

test('every input is described, and all of a workflow are documented', () => {
  const guide = readFileSync(join(folder, '../../docs/pipelines.md'), 'utf8');
  for (const [name, { description }] of Object.entries(action.inputs)) {
    expect(description, name).toMatch(/\.$/);
    expect(guide, name).toContain(`\`${name}\``);
  }
  for (const name of Object.keys(action.outputs)) expect(guide, name).toContain(`\`${name}\``);
});

test.each(['action.yml', '../review-arguments.sh', 'steps.sh', '../gitlab/review.sh'])(
  'bash understands the scripts of %s',
  (file) => {
    const scripts = file.endsWith('.yml')
      ? action.runs.steps.flatMap(({ run }) => run ?? [])
      : [readFileSync(join(folder, file), 'utf8')];
    for (const input of scripts) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  },
);

test('the expressions of the action are understood', () => {
  const context = { 'inputs.a': 'x', 'inputs.b': '' };
  expect(evaluate("always() && inputs.a == 'x' && inputs.b != 'y'", context)).toBe(true);
  expect(evaluate("always() && inputs.b && '-'", context)).toBe('');
  expect(() => evaluate('secrets.x', context)).toThrow('Not understood');
});
