import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import { within } from '../../lib/time.ts';
import { inSpan } from '../../lib/tracing/tracing.ts';
import type { SafeFetch } from '../net/outbound-fetch.ts';
import { mails } from '../net/outbound-metrics.ts';
import { type Mail, MailFailure, type MailMessage, type MailTransport } from './mail.ts';

interface Options {
  /** `smtp://user:password@host:587`, or `smtps:` for TLS from the first byte. */
  smtpUrl: string | undefined;
  /** Sender address for that server. */
  from: string | undefined;
  /** Certificates to trust in addition to the system's. */
  ca?: string | undefined;
  fetch: SafeFetch;
  sendgridUrl: string;
  /** Timeout of one message. */
  timeoutMs?: number;
}

export interface ClosableMail extends Mail {
  close(): void;
}

/** Sends mail through the operator's SMTP server, or through a provider's API with the workspace's own key. */
export function createMail(options: Options): ClosableMail {
  const { smtpUrl, timeoutMs = 30_000 } = options;
  let transport: Transporter | undefined;
  let isClosed = false;
  /** The client is loaded with the first message. */
  const openOnce = async (url: string) => {
    const opened = transport ?? (await openTransport(url, options.ca, timeoutMs));
    transport ??= opened;
    if (isClosed || transport !== opened) opened.close();
    return transport;
  };
  return {
    async send(message, carrier) {
      const send = async () => {
        if (carrier.type === 'sendgrid') await sendOverSendgrid(options, message, carrier, timeoutMs);
        else if (smtpUrl !== undefined && options.from)
          await sendOverSmtp(await openOnce(smtpUrl), message, options.from, timeoutMs);
        else throw new MailFailure('permanent', 'No mail server is configured.');
      };
      try {
        await inSpan(
          'send mail',
          { kind: 'client', attributes: { 'redpen.mail.carrier': carrier.type } },
          send,
        );
        mails.inc({ carrier: carrier.type, outcome: 'sent' });
      } catch (error) {
        if (error instanceof MailFailure) mails.inc({ carrier: carrier.type, outcome: error.kind });
        throw error;
      }
    },
    close() {
      isClosed = true;
      transport?.close();
    },
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) > 0 && /^(127\.|::1$)/.test(host));

async function openTransport(
  smtpUrl: string,
  ca: string | undefined,
  timeoutMs: number,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return createTransport({
    pool: true,
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password is never sent in the clear, except to a server on this machine.
    requireTLS: !secure && user !== '' && !isLoopback(host),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...(ca !== undefined && { tls: { ca } }),
    maxConnections: 4,
    maxMessages: 100,
    // The caller retries, since it records the outcome of each attempt.
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects and logs in without sending a message. Throws nodemailer's error. */
export async function checkSmtp(
  smtpUrl: string,
  { timeoutMs, ca }: { timeoutMs: number; ca?: string | undefined },
): Promise<{ security: string; user: string | undefined }> {
  const url = new URL(smtpUrl);
  const transport = await openTransport(smtpUrl, ca, timeoutMs);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
  const user = decodeURIComponent(url.username) || undefined;
  const { requireTLS } = transport.options as { requireTLS?: boolean };
  const security = requireTLS ? 'over STARTTLS' : 'over STARTTLS where the server offers it';
  return { security: url.protocol === 'smtps:' ? 'over TLS' : security, user };
}

async function sendOverSmtp(
  transport: Transporter,
  { to, fromName, replyTo, subject, text, html, messageId }: MailMessage,
  from: string,
  timeoutMs: number,
): Promise<void> {
  const sent = transport.sendMail({
    to: { name: oneLine(to.name ?? ''), address: to.address },
    from: { name: oneLine(fromName ?? ''), address: from },
    ...(replyTo !== undefined && { replyTo: { name: oneLine(fromName ?? ''), address: replyTo } }),
    subject: oneLine(subject),
    text,
    html,
    messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  });
  // None of the transport's own timeouts ends a server that keeps talking.
  const isInTime = await within(
    2 * timeoutMs,
    sent.then(() => true),
    false,
  ).catch((error: SmtpError) => {
    throw smtpFailure(error);
  });
  if (!isInTime) throw new MailFailure('temporary', 'The mail server took too long.');
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** A permanent refusal concerns this message. Wrong credentials are temporary, since the operator can correct them. */
function smtpFailure(error: SmtpError): MailFailure {
  const refused = (error.responseCode ?? 0) >= 500 && error.code !== 'EAUTH';
  const unsendable = error.code === 'EENVELOPE' && error.responseCode === undefined;
  const kind = refused || unsendable ? 'permanent' : 'temporary';
  const affectsAll = error.responseCode === undefined || error.code === 'EAUTH' || error.responseCode === 421;
  return new MailFailure(kind, error.message, {
    cause: error,
    affectsAll: kind === 'temporary' && affectsAll,
  });
}

async function sendOverSendgrid(
  { fetch, sendgridUrl }: Options,
  { to, fromName, replyTo, subject, text, html, messageId, template }: MailMessage,
  { apiKey, from }: Extract<MailTransport, { type: 'sendgrid' }>,
  timeoutMs: number,
): Promise<void> {
  const body = {
    personalizations: [
      {
        to: [{ email: to.address, ...(to.name && { name: to.name }) }],
        ...(template && { dynamic_template_data: template.data }),
      },
    ],
    from: { email: from, ...(fromName && { name: fromName }) },
    ...(replyTo !== undefined && { reply_to: { email: replyTo } }),
    subject,
    ...(template
      ? { template_id: template.id }
      : {
          content: [
            { type: 'text/plain', value: text },
            { type: 'text/html', value: html },
          ],
        }),
    headers: { 'Message-ID': `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>` },
  };
  const { status } = await fetch(`${sendgridUrl}/v3/mail/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    maxRedirects: 0,
    maxBytes: 10_000,
    timeoutMs,
  }).catch((error: Error) => {
    throw new MailFailure('temporary', error.message, { cause: error, affectsAll: true });
  });
  if (status >= 200 && status < 300) return;
  const kind = status === 429 || status >= 500 ? 'temporary' : 'permanent';
  throw new MailFailure(kind, `The mail provider answered ${status}.`, { affectsAll: kind === 'temporary' });
}
