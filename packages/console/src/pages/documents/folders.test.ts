import type { Folder } from '@redpen/client';
import { expect, test } from 'vitest';
import { idFrom, linesOf, targetsFor } from './folders.ts';

const folder = (folderId: string, ancestors: string[], subFolders: Folder[] = []) =>
  ({ folderId, folderName: folderId.toUpperCase(), ancestors, subFolders }) as unknown as Folder;

const tree = [
  folder('site', ['root'], [folder('shop', ['root', 'site'], [folder('old', ['root', 'site', 'shop'])])]),
  folder('print', ['root']),
];

test('folders are listed as a tree, by name', () => {
  expect(linesOf(tree).map(({ folder, depth }) => [folder.folderId, depth])).toEqual([
    ['print', 0],
    ['site', 0],
    ['shop', 1],
    ['old', 2],
  ]);
});

test('a folder is never moved into itself or below itself', () => {
  const ids = (folderId: string | undefined) =>
    targetsFor(linesOf(tree), folderId).map(({ folder }) => folder.folderId);
  expect(ids('site')).toEqual(['print']);
  expect(ids('shop')).toEqual(['print', 'site']);
  expect(ids(undefined)).toHaveLength(4);
});

test('an id is made of a name', () => {
  expect(idFrom('  Our website, 2026! ')).toBe('our-website-2026');
  expect(idFrom('Café Zürich')).toBe('cafe-zurich');
  expect(idFrom('日本語')).toBe('日本語');
  expect(idFrom('!!!')).toBe('');
});
