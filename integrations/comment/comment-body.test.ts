import { expect, test } from 'vitest';
import { bodyOf, checkKey, cut, markerOf } from './comment-body.ts';

test('a comment begins with the marker of its key and ends with a link to the run', () => {
  const report = '\uFEFF<!-- redpen-report -->\n## 3 findings\n';
  expect(bodyOf(report, '')).toBe('<!-- redpen-report -->\n## 3 findings');
  expect(bodyOf(report, 'shop', 'https://ci.example/1')).toBe(
    '<!-- redpen-report: shop -->\n## 3 findings\n\n[All reports of this run](https://ci.example/1)\n',
  );
});

test('the marker of one key is not the beginning of that of another', () => {
  const markers = ['', 'a', 'ab', 'a b'].map(markerOf);
  for (const marker of markers) expect(markers.filter((other) => other.startsWith(marker))).toEqual([marker]);
});

test.each(['-->', 'a--b', 'a\nb', '<b>', 'x'.repeat(101)])('the key %j is refused', (key) => {
  expect(() => checkKey(key)).toThrow('The key of a comment');
});

test('a text within the limit is not changed', () => {
  expect(cut('a\nb', 3)).toBe('a\nb');
});

test('a long text is cut after a line, and what is open there is closed', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} 😀`).join('\n');
  const text = cut(`<details><summary>A</summary>\n\n<details>\n\n~~~~html\n\`\`\`\n${lines}`, 20_000);
  expect(text.length).toBeLessThanOrEqual(20_000);
  expect(text).toMatch(
    /\nline \d+ 😀\n~~~~\n<\/details>\n<\/details>\n\nThis comment is at the limit of its length\./,
  );
});

test('what is closed before the cut is not closed again', () => {
  const text = cut(`\`\`\`\n<details>\n\`\`\`\n<details>\n</details>\n${'word\n'.repeat(9_000)}`, 20_000);
  expect(text).toMatch(/\nword\n\nThis comment/);
});

test('a single endless line is cut between two characters', () => {
  for (const start of ['', 'a']) {
    const text = cut(start + '😀'.repeat(40_000), 20_000);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.isWellFormed()).toBe(true);
  }
});

test('a comment is never longer than GitHub allows, with its link', () => {
  const body = bodyOf('x\n'.repeat(60_000), 'shop', `https://ci.example/${'1'.repeat(300)}`);
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body).toMatch(/\[All reports of this run\]\(https:\/\/ci\.example\/1+\)\n$/);
});
