import { expect, test } from 'vitest';
import { assistantNameOf } from './assistant-name.ts';

const nameIn = (header: string) => assistantNameOf({ 'x-redpen-assistant': header });

test('a request without the header comes through no assistant', () => {
  expect(assistantNameOf({})).toBeUndefined();
});

test('the name may be plain ASCII or percent-encoded UTF-8', () => {
  expect(nameIn('Claude Code')).toBe('Claude Code');
  expect(nameIn(encodeURIComponent('助手 50 %'))).toBe('助手 50 %');
  expect(nameIn('  Cursor ')).toBe('Cursor');
  expect(nameIn('x'.repeat(100))).toBe('x'.repeat(100));
  expect(nameIn('%F0%9F%A4%96'.repeat(100))).toBe('🤖'.repeat(100));
});

test('a header that is no name is refused in words', () => {
  const names = ['', ' ', 'x'.repeat(101), 'a%00b', 'a%0Ab', '%E2%80%AEb', '100 %', '%FF', 'Ã©t'];
  for (const name of names)
    expect(() => nameIn(name), name).toThrow(
      'The x-redpen-assistant header must be a name of 1 to 100 characters without control characters. Characters outside of ASCII, and the percent sign, are percent-encoded as UTF-8.',
    );
});
