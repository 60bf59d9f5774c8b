import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import type { JobPayload } from '../../jobs/job.ts';
import { md5 } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Mail, MailFailure, type MailTransport } from '../../outside/mail/mail.ts';
import { UNKNOWN_OWNER } from '../../store/identity/operator-access.ts';
import { ownerOf } from '../../store/webhooks/endpoint-health.ts';
import { hostOf } from './endpoint-log.ts';

export interface OwnerMailDeps {
  db: Db;
  log: Logger;
  mail: Mail;
  /** The mail transport of an API key; undefined if none is configured. */
  mailTransportOf(scope: Scope): Promise<MailTransport | undefined>;
}

type Notice = JobPayload<'webhook.owner_email'>;

/** Mails the owner of an API key that an endpoint fails or is disabled. Throws if a retry may help. */
export async function mailOwner(deps: OwnerMailDeps, notice: Notice): Promise<void> {
  const { db, log, mail } = deps;
  const { apiKeyId, endpointId } = notice;
  const owner = await ownerOf(db, notice);
  if (!owner || owner.email === UNKNOWN_OWNER) return;
  const carrier = await deps.mailTransportOf(notice);
  const where = { apiKeyId, endpointId, notice: notice.notice };
  if (!carrier) return log.warn(where, 'owner of a webhook endpoint cannot be mailed: no mail server is set');
  const { subject, lines } = wordsOf(notice, hostOf(owner.url));
  try {
    await mail.send(
      {
        to: { address: owner.email },
        subject,
        text: lines.join('\n\n'),
        html: `<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">${lines.map((line) => `<p>${line}</p>`).join('')}</body></html>`,
        messageId: `webhook-${md5(JSON.stringify([apiKeyId, endpointId, notice.notice, notice.at]))}`,
      },
      carrier,
    );
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log.warn({ ...where, reason: error.message }, 'owner of a webhook endpoint cannot be mailed');
    if (error.kind === 'temporary') throw error;
  }
}

function wordsOf({ endpointId, notice }: Notice, host: string): { subject: string; lines: string[] } {
  const endpoint = `The webhook endpoint ${endpointId} at ${host}`;
  const recover =
    'Once it answers again, enable it with POST /v2/workspace/advancedwebhook/endpoints/update and send what it missed with POST /v2/workspace/advancedwebhook/deliveries/replay. Nothing was lost.';
  switch (notice) {
    case 'gone':
      return {
        subject: `Webhook endpoint at ${host} disabled`,
        lines: [`${endpoint} answered 410 (gone) and is disabled.`, recover],
      };
    case 'failing':
      return {
        subject: `Webhook endpoint at ${host} disabled`,
        lines: [`${endpoint} received nothing for five days and is disabled.`, recover],
      };
    default:
      return {
        subject: `Webhook endpoint at ${host} is failing`,
        lines: [
          `${endpoint} has received nothing since its first failure; ${notice} % of the five days after which it is disabled are over.`,
          'POST /v2/workspace/advancedwebhook/deliveries/get tells what it answered.',
        ],
      };
  }
}
