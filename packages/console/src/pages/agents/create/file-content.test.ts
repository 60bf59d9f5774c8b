import { expect, test } from 'vitest';
import { base64Of, mediaTypeOf } from './file-content.ts';

test('the name decides the type of a file', () => {
  expect(mediaTypeOf({ name: 'Rules.MD', type: '' })).toBe('text/markdown');
  expect(mediaTypeOf({ name: 'rules.csv', type: 'application/vnd.ms-excel' })).toBe('text/csv');
  expect(mediaTypeOf({ name: 'rules', type: 'text/plain' })).toBe('text/plain');
  expect(mediaTypeOf({ name: 'rules.docx', type: 'application/msword' })).toBeUndefined();
});

test('encodes bytes of any length', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  expect(await base64Of(new Blob([bytes]))).toBe(Buffer.from(bytes).toString('base64'));
  expect(await base64Of(new Blob(['Grüße']))).toBe(Buffer.from('Grüße').toString('base64'));
});
