import { md5 } from '../lib/ids.ts';
import { shorten } from '../lib/text/cut-text.ts';
import { nameOf } from '../lib/text/headline.ts';
import type { MailMessage } from '../outside/mail/mail.ts';
import type { Notification } from '../shapes/notification.ts';

interface MailContent {
  /** At least one, oldest first. */
  notifications: Notification[];
  to: { address: string; name?: string | undefined };
  userId: string;
  fromName: string | undefined;
  replyTo: string | undefined;
  templateId: string | undefined;
}

const MAX_SUBJECT = 150;

/** One mail about one or several notifications. Their content is untrusted text of users and is escaped. */
export function composeMail({
  notifications,
  to,
  userId,
  fromName,
  replyTo,
  templateId,
}: MailContent): MailMessage {
  const items = notifications.map(itemOf);
  const [first, ...more] = items;
  const subject = more.length === 0 ? first!.headline : `${items.length} new notifications`;
  const name = to.name ?? 'there';
  return {
    to,
    fromName,
    replyTo,
    subject: shorten(subject, MAX_SUBJECT),
    text: [`Hello ${name},`, ...items.map(plain), SIGN_OFF].join('\n\n'),
    html: `<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">
<p>Hello ${escapeHtml(name)},</p>
${items.map(rich).join('\n')}
<p style="color:#666;font-size:smaller">${SIGN_OFF}</p>
</body></html>`,
    messageId: messageIdOf(notifications[0]!, userId),
    template:
      templateId === undefined
        ? undefined
        : { id: templateId, data: { ...first, subject, recipient: name, notifications: items } },
  };
}

const SIGN_OFF = 'You get this mail because of your notification settings.';

const messageIdOf = ({ id, metadata }: Notification, userId: string): string =>
  `notification-${md5(JSON.stringify([metadata.apiKey, metadata.organizationId, id, userId]))}`;

interface MailItem {
  headline: string;
  body: string;
  actionUser: string;
  url: string;
}

function itemOf(notification: Notification): MailItem {
  const actionUser = nameOf(notification.actionUser) ?? '';
  return {
    headline: notification.displayHeadlineMessage ?? `${actionUser} has news for you`,
    body: notification.displayBodyMessage ?? '',
    actionUser,
    url: webAddress(notification.notificationSourceData?.url),
  };
}

const webAddress = (url: unknown): string => {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : '';
};

const plain = ({ headline, body, url }: MailItem): string =>
  [headline, body, url].filter((line) => line !== '').join('\n');

const rich = ({ headline, body, url }: MailItem): string =>
  [
    `<p><strong>${escapeHtml(headline)}</strong>`,
    body && `<br>${escapeHtml(body).replaceAll('\n', '<br>')}`,
    url && `<br><a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`,
    '</p>',
  ].join('');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, also for attributes in quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
