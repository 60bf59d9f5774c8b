import { expect, test } from 'vitest';
import { giveVectors, type Judged, judge } from '../../../../test/memory/judged-history.ts';
import { newWorkspace, type TestWorkspace } from '../../../../test/service/harness.ts';
import { DAY_MS } from '../../../lib/day.ts';

const consolidate = async (w: TestWorkspace, data: object = {}) =>
  (await w.post('/v2/memory/consolidate', data)).body.result;
const alerts = async (w: TestWorkspace) => (await w.post('/v2/memory/alerts/list')).body.result;
const configure = (w: TestWorkspace, config: unknown) =>
  w.post('/v2/memory/alerts/config/update', { config });
const config = async (w: TestWorkspace) => (await w.post('/v2/memory/alerts/config/get')).body.result;

/** Nine in ten were approved until a week ago, and hardly any since then. */
const dropped = (): Judged[] =>
  Array.from({ length: 165 }, (_, index) => {
    const daysAgo = index % 33;
    const decision = daysAgo < 7 || index % 10 === 0 ? 'reject' : 'approve';
    return {
      id: `j${index}`,
      decision,
      by: `r${index % 3}`,
      createdAt: Date.now() - (daysAgo + 0.5) * DAY_MS,
    };
  });

test('an alert is raised once, and not again soon after it was dismissed', async () => {
  const w = await newWorkspace();
  expect(await alerts(w)).toEqual([]);
  await judge(w, dropped());
  expect((await consolidate(w)).alerts).toBe(1);
  const [alert, ...others] = await alerts(w);
  expect(others).toEqual([]);
  expect(alert).toEqual({
    id: expect.stringMatching(/^alert_/),
    apiKey: w.apiKeyId,
    alertType: 'anomaly',
    severity: 'high',
    title: 'Approval rate dropped significantly',
    description: expect.stringContaining('Reviewers approved 0% of 35 decisions'),
    evidence: {
      metric: 'approvalRate',
      baseline: expect.closeTo(0.9, 1),
      current: 0,
      window: '7 days against the 30 days before',
      sourceRecordIds: expect.arrayContaining(['j0', 'j33']),
      knowledgeSourceId: null,
      ruleRef: null,
    },
    suggestedAction: expect.any(String),
    actionUrl: null,
    status: 'active',
    createdAt: expect.any(Number),
    dismissedAt: null,
    dismissedBy: null,
    dedupKey: 'anomaly:approvalRate',
  });
  await w.post('/v2/memory/judgments/delete', { recordIds: ['j0'] });
  expect((await alerts(w))[0].evidence.sourceRecordIds).not.toContain('j0');
  expect((await consolidate(w, { force: true })).alerts).toBe(0);
  const dismiss = () => w.post('/v2/memory/alerts/dismiss', { alertId: alert.id, user: { uid: 'ana' } });
  expect((await dismiss()).body).toEqual({ result: { success: true } });
  expect((await dismiss()).body).toEqual({ result: { success: true } });
  expect(await alerts(w)).toEqual([]);
  expect((await consolidate(w, { force: true })).alerts).toBe(0);
});

test('an unknown alert is not found', async () => {
  const w = await newWorkspace();
  for (const verb of ['dismiss', 'action']) {
    const { status, body } = await w.post(`/v2/memory/alerts/${verb}`, { alertId: 'alert_unknown' });
    expect([status, body.error]).toMatchObject([
      404,
      { status: 'NOT_FOUND', message: 'Alert does not exist.' },
    ]);
  }
});

test('an alert that was acted on is removed from the list', async () => {
  const w = await newWorkspace();
  await judge(w, dropped());
  await consolidate(w);
  const [{ id }] = await alerts(w);
  expect((await w.post('/v2/memory/alerts/action', { alertId: id })).body).toEqual({
    result: { success: true },
  });
  expect(await alerts(w)).toEqual([]);
});

test('alerts are enabled by default, and settings are merged', async () => {
  const w = await newWorkspace();
  expect(await config(w)).toEqual({ enabled: true });
  expect((await configure(w, { maxAlertsPerWeek: 2, own: { a: 1 } })).body).toEqual({
    result: { success: true },
  });
  await configure(w, { severityThreshold: 'medium', own: { b: 2 } });
  expect(await config(w)).toEqual({
    enabled: true,
    maxAlertsPerWeek: 2,
    severityThreshold: 'medium',
    own: { a: 1, b: 2 },
  });
  for (const refused of [{}, { own: 'x'.repeat(10_000) }])
    expect((await configure(w, refused)).body.error?.status).toBe('INVALID_ARGUMENT');
});

test.each([{ enabled: false }, { maxAlertsPerWeek: 0 }, { enabledAlertTypes: ['standards_drift'] }])(
  'the settings %j suppress alerts',
  async (chosen) => {
    const w = await newWorkspace();
    await configure(w, chosen);
    await judge(w, dropped());
    expect((await consolidate(w)).alerts).toBe(0);
    await configure(w, { enabled: true, maxAlertsPerWeek: 3, enabledAlertTypes: ['anomaly'] });
    expect((await consolidate(w)).alerts).toBe(1);
  },
);

test('at most three alerts are raised in a week, the most severe first, and those about a pattern quote it', async () => {
  const w = await newWorkspace();
  const about = ['price', 'title', 'link', 'picture'];
  const judgments = about.flatMap((contentType, kind) =>
    Array.from({ length: 8 }, (_, index) => ({
      id: `${contentType}${index}`,
      organizationId: 'acme',
      decision: 'reject',
      reasoning: `The ${contentType} is wrong.`,
      contentType,
      by: `r${(index + kind) % 2}`,
    })),
  );
  const before = {
    id: 'first',
    organizationId: 'acme',
    contentType: 'other',
    createdAt: Date.now() - 40 * DAY_MS,
  };
  await judge(w, [...judgments, before]);
  const vectorOf = ({ contentType }: { contentType: string }) =>
    about.map((one) => (one === contentType ? 1 : 0));
  await giveVectors(
    w,
    Object.fromEntries([...judgments, before].map((one) => [one.id, [...vectorOf(one), 0.1]])),
  );
  expect((await consolidate(w)).alerts).toBe(3);
  const raised = await alerts(w);
  expect(raised).toHaveLength(3);
  for (const { alertType, description, evidence } of raised) {
    expect(alertType).toBe('emerging_standard');
    expect(description).toMatch(/Reviewers reject (price|title|link|picture): The \1 is wrong\.$/);
    expect(evidence.ruleRef).toMatch(/^pat_/);
  }
  expect((await consolidate(w, { force: true })).alerts).toBe(0);
});
