import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_ACTORS } from '../src/shapes/audit/audit-actions.ts';
import { tableRows } from './house/docs-tables.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/audit.md'), 'utf8');
const wordsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

test('docs/audit.md has every action, with its target and description', () => {
  const rows = tableRows(page, 'Action | Target').map(([action, target, about]) => [
    ...wordsIn(action!),
    ...wordsIn(target!),
    about,
  ]);
  const actions = Object.entries(AUDIT_ACTIONS);
  expect(rows).toEqual(actions.map(([action, { target, description }]) => [action, target, description]));
});

test('docs/audit.md has every kind of actor', () => {
  const kinds = tableRows(page, '`actor.kind` | Who it is').flatMap(([kind]) => wordsIn(kind!));
  expect(kinds.sort()).toEqual(AUDIT_ACTORS.toSorted());
});
