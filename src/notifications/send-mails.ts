import type { Logger } from 'pino';
import type { Db } from '../db/tables.ts';
import type { JobPayload } from '../jobs/job.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { Keyring } from '../lib/crypto.ts';
import { LineBound } from '../lib/line-bound.ts';
import { type Carrier, type Mail, MailFailure } from '../outside/outside.ts';
import type { EmailConfig } from '../shapes/service-config.ts';
import { loadStoredReader } from '../store/access/visibility-sql.ts';
import { type ClaimedMail, claimMail, nextMailAt, settleMails } from '../store/notifications/emails.ts';
import { listNotifications } from '../store/notifications/list-notifications.ts';
import { getServiceConfig } from '../store/platform/service-configs.ts';
import { composeMail } from './compose-mail.ts';
import { showEmailConfig } from './email-config.ts';
import { carrierOf } from './mail-transport.ts';
import { showNotificationConfig } from './notification-config.ts';
import { gatheringOf } from './queue-mails.ts';

export interface MailDeps {
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  outside: { mail: Mail };
  log: Logger;
}

type Ref = JobPayload<'notification.email'>;

/** Longer than the sending of one mail can take. */
const CLAIM_MS = 120_000;
/** Shorter than the time that the job has. */
const WORK_MS = 150_000;
const MINUTE_MS = 60_000;
/** How long a mail waits after each try that may succeed another time; after the last it is given up. */
const WAITS_MS = [0.5, 2, 10, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** Lines a minute about one API key: all of its mail fails where its server is away. */
const bound = new LineBound(5);
const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/;

/**
 * Sends what is due of the mail about one notification, one mail after the other, in no transaction. Each is
 * claimed before: whoever dies on the way leaves it to be sent again, under the same Message-ID.
 */
export async function sendMails(deps: MailDeps, ref: Ref, stopping: AbortSignal): Promise<void> {
  const { db, jobs } = deps;
  const setup = await loadSetup(deps, ref);
  const until = Date.now() + WORK_MS;
  /** Mail that went into one and waits again has no job that would come in time. */
  const others = new Map<string, number>();
  let notBefore = 0;
  while (!stopping.aborted && Date.now() < until && notBefore === 0) {
    const now = Date.now();
    const claim = await claimMail(db, ref, ref, { now, until: now + CLAIM_MS, gather: setup.gather });
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

interface Setup {
  config: EmailConfig;
  /** Undefined where the configuration lacks something. */
  carrier: Carrier | undefined;
  gather: ReturnType<typeof gatheringOf>;
}

async function loadSetup({ db, keyring }: MailDeps, ref: Ref): Promise<Setup> {
  const stored = await getServiceConfig(db, ref, 'email');
  return {
    config: showEmailConfig(stored),
    carrier: carrierOf(keyring, ref.apiKeyId, stored),
    gather: gatheringOf(showNotificationConfig(await getServiceConfig(db, ref, 'notification'))),
  };
}

/** Sends one mail that is claimed, and notes what became of it; answers when it is to be tried again. */
async function sendOne(
  { db, outside, log }: MailDeps,
  ref: Ref,
  { config, carrier }: Setup,
  claim: ClaimedMail,
): Promise<{ at: number; affectsAll: boolean } | undefined> {
  const { organizationId } = ref;
  const { userId, notificationIds } = claim;
  const mail = { organizationId, userId, notificationIds };
  const wanted = config.useEmailService ? await stillWanted(db, ref, claim) : [];
  if (wanted.length === 0) {
    await settleMails(db, ref, mail, { status: 'dropped' });
    return undefined;
  }
  try {
    if (!carrier) throw new MailFailure('permanent', 'The configuration lacks apiKey or fromEmail.');
    if (!ADDRESS.test(claim.email ?? '')) throw new MailFailure('permanent', 'The address is not valid.');
    await outside.mail.send(letterOf(config, carrier, claim, wanted), carrier);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { apiKeyId, notificationId } = ref;
    const wait = WAITS_MS[claim.attempts - 1];
    const failed = error.kind === 'permanent' || wait === undefined;
    const said = failed ? 'mail is given up' : 'mail is delayed';
    const more = bound.take(JSON.stringify([apiKeyId, said]));
    if (more) log.warn({ apiKeyId, organizationId, notificationId, reason: error.message, ...more }, said);
    if (failed) {
      await settleMails(db, ref, mail, { status: 'failed', error: error.message });
      return undefined;
    }
    const at = Date.now() + wait;
    await settleMails(db, ref, mail, { status: 'pending', error: error.message, dueAt: at });
    return { at, affectsAll: error.affectsAll };
  }
  const sent = new Set(wanted.map(({ id }) => id));
  const dropped = notificationIds.filter((id) => !sent.has(id));
  await settleMails(db, ref, { ...mail, notificationIds: [...sent] }, { status: 'sent' });
  await settleMails(db, ref, { ...mail, notificationIds: dropped }, { status: 'dropped' });
  return undefined;
}

/** What the user has not read meanwhile, may still see and wants mail about. */
async function stillWanted(db: Db, ref: Ref, { userId, notificationIds }: ClaimedMail) {
  const { organizationId } = ref;
  const reader = await loadStoredReader(db, ref, organizationId, userId);
  const window = { order: 'asc', limit: notificationIds.length } as const;
  const inbox = { reader, namedSuffices: true, channel: 'email' } as const;
  const rows = await listNotifications(db, ref, { organizationId, notificationIds }, window, inbox);
  return rows.map(({ record }) => record).filter(({ isUnread }) => isUnread);
}

function letterOf(
  { emailServiceConfig: { fromCompany, fromEmail, commentTemplateId, tagTemplateId } }: EmailConfig,
  carrier: Carrier,
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
