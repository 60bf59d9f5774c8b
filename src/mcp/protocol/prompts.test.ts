import { expect, test } from 'vitest';
import { getPrompt, listPrompts } from './prompts.ts';

const textOf = (...request: Parameters<typeof getPrompt>): string => {
  const [message] = getPrompt(...request).messages;
  return message?.content.type === 'text' ? message.content.text : '';
};

test('a prompt names the document and the severities that it is about', () => {
  expect(listPrompts().map(({ name }) => name)).toEqual(['fix_findings', 'triage', 'write_agent']);
  const text = textOf('fix_findings', { document: 'acme/web/site', severity: 'medium' });
  expect(text).toContain('organizationId "acme" and documentId "web/site"');
  expect(text).toContain('["critical","high","medium"]');
  expect(textOf('fix_findings')).toContain('of all documents with a severity in ["critical","high"]');
  expect(textOf('triage', { document: 'home' })).toContain('the document "home" (overview shows its ids)');
  expect(textOf('write_agent', { checklist: '1. Prices are with tax.' })).toContain(
    '1. Prices are with tax.',
  );
});

test('a wrong prompt or argument is refused in words that help', () => {
  expect(() => getPrompt('fix')).toThrow('There is no prompt fix: fix_findings, triage, write_agent.');
  expect(() => getPrompt('triage', { severity: 'high' })).toThrow('takes document, and not severity');
  expect(() => getPrompt('fix_findings', { severity: 'worst' })).toThrow('severity must be one of critical');
  expect(() => getPrompt('write_agent')).toThrow('checklist is required.');
  expect(() => getPrompt('triage', { document: 'x'.repeat(501) })).toThrow('document is too long.');
});
