import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { newId } from '../../lib/ids.ts';
import {
  type AlertSeverity,
  alertSeverities,
  MAX_ALERTS_PER_WEEK,
} from '../../shapes/memory/memory-insight.ts';
import { insertAlerts, listRecentAlerts, retireAlerts } from '../../store/memory/alerts.ts';
import { type Lease, renewLease } from '../../store/memory/consolidations.ts';
import { newestIds, tallyDays } from '../../store/memory/insight-queries.ts';
import { getServiceConfig } from '../../store/platform/service-configs.ts';
import type { AlertCandidate } from './alert-candidate.ts';
import { showAlertConfig } from './alert-config.ts';
import { COUNTED_DAYS, findAnomalies } from './anomaly-alerts.ts';
import { findStale } from './stale-alerts.ts';

const WEEK_MS = 7 * DAY_MS;
/** Time for which an ended alert is not raised again. */
const COOL_DOWN_MS = 30 * DAY_MS;
/** Time after which an untouched alert expires. */
const ACTIVE_MS = 30 * DAY_MS;
/** Time for which ended alerts are kept. */
const KEPT_MS = 365 * DAY_MS;
const SHOWN_RECORDS = 10;

/** Raises the alerts that are new and that the API key's settings allow. Returns their number. */
export async function raiseAlerts(
  db: Db,
  lease: Lease,
  aboutPatterns: readonly AlertCandidate[],
  now: number,
): Promise<number> {
  const config = showAlertConfig(await getServiceConfig(db, lease, 'memoryAlerts'));
  const candidates = config.enabled
    ? [...(await anomalies(db, lease, now)), ...aboutPatterns, ...(await findStale(db, lease, now))]
    : [];
  const threshold = alertSeverities.indexOf(config.severityThreshold ?? 'low');
  const rank = (severity: AlertSeverity) => alertSeverities.indexOf(severity);
  const wanted = candidates
    .filter(({ alertType }) => config.enabledAlertTypes?.includes(alertType) ?? true)
    .filter(({ severity }) => rank(severity) <= threshold)
    .toSorted((a, b) => rank(a.severity) - rank(b.severity));
  return await db.transaction().execute(async (tx) => {
    await renewLease(tx, lease);
    await retireAlerts(tx, lease, { activeSince: now - ACTIVE_MS, endedSince: now - KEPT_MS });
    if (wanted.length === 0) return 0;
    const raised = await listRecentAlerts(tx, lease, now - COOL_DOWN_MS);
    const recent = new Set(raised.map(({ dedupKey }) => dedupKey));
    const thisWeek = raised.filter(({ createdAt }) => createdAt > now - WEEK_MS).length;
    const max = Math.min(MAX_ALERTS_PER_WEEK, config.maxAlertsPerWeek ?? MAX_ALERTS_PER_WEEK);
    const fresh = wanted
      .filter(({ dedupKey }) => !recent.has(dedupKey))
      .slice(0, Math.max(0, max - thisWeek));
    if (fresh.length === 0) return 0;
    const rows = fresh.map((candidate) => ({
      ...candidate,
      apiKeyId: lease.apiKeyId,
      alertId: newId('alert'),
      status: 'active' as const,
      createdAt: now,
      endedAt: null,
      endedBy: null,
    }));
    return await insertAlerts(tx, lease, rows);
  });
}

async function anomalies(db: Db, lease: Lease, now: number): Promise<AlertCandidate[]> {
  const found = findAnomalies(await tallyDays(db, lease, now, COUNTED_DAYS));
  const candidates: AlertCandidate[] = [];
  for (const { contentType, ...candidate } of found) {
    const sourceRecordIds = await newestIds(db, lease, {
      from: now - WEEK_MS,
      to: now,
      contentType,
      limit: SHOWN_RECORDS,
    });
    candidates.push({ ...candidate, evidence: { ...candidate.evidence, sourceRecordIds } });
  }
  return candidates;
}
