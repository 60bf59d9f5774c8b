import { expect, test } from 'vitest';
import { snippetOf } from './snippet.ts';

test('ids are safe in the attributes of the snippet', () => {
  const snippet = snippetOf('https://redpen.example.com', {
    apiKeyId: 'key_1',
    organizationId: 'a"b',
    documentId: 'c&d',
  });
  expect(snippet).toContain('src="https://redpen.example.com/client/overlay.js"');
  expect(snippet).toContain('data-organization="a&quot;b"');
  expect(snippet).toContain('data-document="c&amp;d" data-key="key_1"');
});
