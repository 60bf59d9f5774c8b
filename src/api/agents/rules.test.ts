import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/service/harness.ts';
import type { Rule } from '../../shapes/agents/rule.ts';

test('the catalogue says what an issue type means, how grave it is and who reports it', async () => {
  const w = await newWorkspace();
  const { rules } = (await w.must('/v2/agents/rules')) as { rules: Rule[] };
  const of = (issueType: string) => rules.find((one) => one.issueType === issueType);
  expect(of('broken-image')).toEqual({
    issueType: 'broken-image',
    title: 'Broken image',
    help: expect.stringContaining('an image fails'),
    defaultSeverity: 'medium',
    otherSeverities: [],
    category: 'links',
    agents: ['broken-links'],
  });
  expect(of('color-contrast')).toMatchObject({
    helpUrl: expect.stringContaining('https://dequeuniversity.com/rules/axe/'),
    help: expect.stringContaining('WCAG 1.4.3 Contrast (Minimum)'),
    defaultSeverity: 'high',
    category: 'accessibility',
    agents: ['lighthouse', 'accessibility-checker'],
  });
  expect(of('largest-contentful-paint')).toMatchObject({
    title: 'Largest Contentful Paint',
    category: 'performance',
    agents: ['lighthouse'],
  });
  expect(of('cross-page-inconsistency')?.agents).toEqual([]);
  expect(of('page-injection')?.agents).toContain('grammar-check');
  const names = rules.map(({ issueType }) => issueType);
  expect(names).toEqual([...new Set(names)].sort());
  for (const { title, help, issueType } of rules) {
    expect([issueType, title, help]).not.toContain('');
    expect(help, issueType).toMatch(/[.)]$/);
  }
});

test('the rules are filtered by agent and category', async () => {
  const w = await newWorkspace();
  const names = async (data: object) =>
    ((await w.must('/v2/agents/rules', data)) as { rules: Rule[] }).rules.map(({ issueType }) => issueType);
  expect(await names({ agentId: 'spell-check' })).toEqual([
    'page-injection',
    'possible-misspelling',
    'repeated-word',
    'spelling',
  ]);
  expect(await names({ agentId: 'broken-links', category: 'seo' })).toContain('duplicate-title');
  expect(await names({ agentId: 'crawler' })).toEqual([]);

  const { agentId } = await w.must('/v2/agents/create', {
    name: 'Own',
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
    scope: { crossPage: { enabled: true, targetProperty: 'the price', pageDiscovery: 'auto' } },
  });
  const own = await names({ agentId });
  expect(own).toContain('broken-link');
  expect(own).toContain('cross-page-inconsistency');
  expect(own).not.toContain('page-injection');
  expect((await w.post('/v2/agents/rules', { agentId: 'agent_none' })).body.error).toMatchObject({
    status: 'NOT_FOUND',
    message: 'Agent not found: agent_none',
  });
});

test('the rules of one agent have the severities of that agent', async () => {
  const w = await newWorkspace();
  const of = async (data: object) => {
    const { rules } = (await w.must('/v2/agents/rules', data)) as { rules: Rule[] };
    return rules.find(({ issueType }) => issueType === 'document-title');
  };
  expect((await of({ agentId: 'accessibility-checker' }))?.helpUrl).toContain('axeAPI');
  const ofAudit = await of({ agentId: 'lighthouse' });
  expect(ofAudit?.title).toContain("doesn't have a title element");
  expect(ofAudit?.agents).toEqual(['lighthouse', 'accessibility-checker']);
});

test('the catalogue is paged', async () => {
  const w = await newWorkspace();
  const whole = (await w.must('/v2/agents/rules')) as { rules: Rule[] };
  const collected: Rule[] = [];
  let pageToken: string | undefined;
  do {
    const page = await w.must('/v2/agents/rules', { pageSize: 100, ...(pageToken && { pageToken }) });
    expect(page.rules.length).toBeLessThanOrEqual(100);
    collected.push(...page.rules);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  expect(collected).toEqual(whole.rules);
});
