import type { Logger } from 'pino';
import type { Db } from '../db/tables.ts';
import type { JobPayload } from '../jobs/job.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { Keyring } from '../lib/crypto.ts';
import { LogThrottle } from '../lib/log-throttle.ts';
import { type Mail, MailFailure, type MailTransport } from '../outside/mail/mail.ts';
import type { EmailConfig } from '../shapes/service-config.ts';
import { loadStoredReader } from '../store/access/visibility-sql.ts';
import { listNotifications } from '../store/notifications/list-notifications.ts';
import {
  type ClaimedMail,
  claimMail,
  nextMailAt,
  recordMailOutcome,
} from '../store/notifications/queued-emails.ts';
import { getServiceConfig } from '../store/platform/service-configs.ts';
import { composeMail } from './compose-mail.ts';
import { showEmailConfig } from './email-config.ts';
import { mailTransportOf } from './mail-transport.ts';
import { showNotificationConfig } from './notification-service-config.ts';
import { mailGroupingOf } from './queue-mails.ts';

export interface MailDeps {
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  outside: { mail: Mail };
  log: Logger;
}

type NotificationMailRef = JobPayload<'notification.email'>;

/** The lease of a mail, longer than sending it can take. */
const LEASE_MS = 120_000;
/** Time for one job, shorter than the job's own limit. */
const WORK_MS = 150_000;
const MINUTE_MS = 60_000;
/** Back-off after each temporary failure; after the last step the mail fails. */
const BACKOFF_MS = [0.5, 2, 10, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** Log lines a minute per API key: all of its mails fail while its server is down. */
const bound = new LogThrottle(5);
const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/;

/**
 * Sends the due mails about one notification, one after the other, outside of transactions. Each is leased first: if the
 * process dies, the mail is sent again with the same Message-ID.
 */
export async function sendMails(
  deps: MailDeps,
  ref: NotificationMailRef,
  stopping: AbortSignal,
): Promise<void> {
  const { db, jobs } = deps;
  const setup = await loadSetup(deps, ref);
  const until = Date.now() + WORK_MS;
  /** Other notifications of a group that must be retried: they have no job at that time yet. */
  const others = new Map<string, number>();
  let notBefore = 0;
  while (!stopping.aborted && Date.now() < until && notBefore === 0) {
    const now = Date.now();
    const claim = await claimMail(db, ref, ref, { now, until: now + LEASE_MS, gather: setup.grouping });
    if (!claim) break;
    const retry = await sendOne(deps, ref, setup, claim);
    if (!retry) continue;
    for (const id of claim.notificationIds) if (id !== ref.notificationId) others.set(id, retry.at);
    if (retry.affectsAll) notBefore = retry.at;
  }
  await db.transaction().execute(async (tx) => {
    const next = await nextMailAt(tx, ref, ref);
    if (next !== undefined) others.set(ref.notificationId, Math.max(next, notBefore));
    for (const [notificationId, at] of others) {
      await jobs.enqueue(tx, 'notification.email', { ...ref, notificationId }, { runAt: new Date(at) });
    }
  });
}

interface MailSetup {
  config: EmailConfig;
  /** Undefined if the configuration is incomplete. */
  carrier: MailTransport | undefined;
  grouping: ReturnType<typeof mailGroupingOf>;
}

async function loadSetup({ db, keyring }: MailDeps, ref: NotificationMailRef): Promise<MailSetup> {
  const stored = await getServiceConfig(db, ref, 'email');
  return {
    config: showEmailConfig(stored),
    carrier: mailTransportOf(keyring, ref.apiKeyId, stored),
    grouping: mailGroupingOf(showNotificationConfig(await getServiceConfig(db, ref, 'notification'))),
  };
}

/** Sends one leased mail and records the outcome. Returns the time of the retry if there is one. */
async function sendOne(
  { db, outside, log }: MailDeps,
  ref: NotificationMailRef,
  { config, carrier }: MailSetup,
  claim: ClaimedMail,
): Promise<{ at: number; affectsAll: boolean } | undefined> {
  const { organizationId } = ref;
  const { userId, notificationIds } = claim;
  const mail = { organizationId, userId, notificationIds };
  const wanted = config.useEmailService ? await stillWanted(db, ref, claim) : [];
  if (wanted.length === 0) {
    await recordMailOutcome(db, ref, mail, { status: 'dropped' });
    return undefined;
  }
  try {
    if (!carrier) throw new MailFailure('permanent', 'The configuration lacks apiKey or fromEmail.');
    if (!ADDRESS.test(claim.email ?? '')) throw new MailFailure('permanent', 'The address is not valid.');
    await outside.mail.send(mailOf(config, carrier, claim, wanted), carrier);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { apiKeyId, notificationId } = ref;
    const wait = BACKOFF_MS[claim.attempts - 1];
    const failed = error.kind === 'permanent' || wait === undefined;
    const message = failed ? 'mail failed on its last attempt' : 'mail is delayed';
    const more = bound.take(JSON.stringify([apiKeyId, message]));
    if (more) log.warn({ apiKeyId, organizationId, notificationId, reason: error.message, ...more }, message);
    if (failed) {
      await recordMailOutcome(db, ref, mail, { status: 'failed', error: error.message });
      return undefined;
    }
    const at = Date.now() + wait;
    await recordMailOutcome(db, ref, mail, { status: 'pending', error: error.message, dueAt: at });
    return { at, affectsAll: error.affectsAll };
  }
  const sent = new Set(wanted.map(({ id }) => id));
  const dropped = notificationIds.filter((id) => !sent.has(id));
  await recordMailOutcome(db, ref, { ...mail, notificationIds: [...sent] }, { status: 'sent' });
  await recordMailOutcome(db, ref, { ...mail, notificationIds: dropped }, { status: 'dropped' });
  return undefined;
}

/** The notifications that the user has not read meanwhile, may still see and wants mail about. */
async function stillWanted(db: Db, ref: NotificationMailRef, { userId, notificationIds }: ClaimedMail) {
  const { organizationId } = ref;
  const reader = await loadStoredReader(db, ref, organizationId, userId);
  const window = { order: 'asc', limit: notificationIds.length } as const;
  const inbox = { reader, namedSuffices: true, channel: 'email' } as const;
  const rows = await listNotifications(db, ref, { organizationId, notificationIds }, window, inbox);
  return rows.map(({ record }) => record).filter(({ isUnread }) => isUnread);
}

function mailOf(
  { emailServiceConfig: { fromCompany, fromEmail, commentTemplateId, tagTemplateId } }: EmailConfig,
  carrier: MailTransport,
  { userId, name, email }: ClaimedMail,
  notifications: Parameters<typeof composeMail>[0]['notifications'],
) {
  const ofComments = notifications.every(({ notificationSource }) => notificationSource === 'comment');
  const tagged = notifications.some(({ notificationSourceData }) => {
    const ids = notificationSourceData?.mentionedUserIds;
    return Array.isArray(ids) && ids.includes(userId);
  });
  const template = tagged && tagTemplateId ? tagTemplateId : commentTemplateId;
  return composeMail({
    notifications,
    to: { address: email!, name: name ?? undefined },
    userId,
    fromName: fromCompany || undefined,
    replyTo: carrier.type === 'smtp' && fromEmail ? fromEmail : undefined,
    templateId: (carrier.type === 'sendgrid' && ofComments && template) || undefined,
  });
}
