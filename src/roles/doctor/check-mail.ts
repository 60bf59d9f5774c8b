import type { Config } from '../../config.ts';
import { checkSmtp } from '../../outside/mail/create-mail.ts';
import { asSentence, type Finding, failed, inWords, ok, reasonOf, skipped } from './check.ts';
import { addressIn } from './without-secrets.ts';

/** Connects to the mail server and logs in; sends nothing. `ca` are certificates to trust beside those of the system. */
export async function checkMail(
  { REDPEN_SMTP_URL: smtpUrl }: Pick<Config, 'REDPEN_SMTP_URL'>,
  timeoutMs: number,
  ca?: string,
): Promise<Finding> {
  if (smtpUrl === undefined)
    return skipped('REDPEN_SMTP_URL is not set: mail is sent only through the SendGrid accounts of callers.');
  const place = addressIn(smtpUrl);
  const began = performance.now();
  try {
    const { security, user } = await checkSmtp(smtpUrl, { timeoutMs, ca });
    const login = user === undefined ? 'takes mail without a login' : `accepted the login of ${user}`;
    return ok(`${place} ${login}, ${security}, in ${inWords(performance.now() - began)}.`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Codes of the system within messages are more precise than those of the library.
    const shown = /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? code;
    return failed(
      asSentence(`${place} cannot be used: ${reasonOf(error)}`),
      `Check REDPEN_SMTP_URL: ${ADVICE[code ?? ''] ?? 'host, port, and smtps: or smtp: as the server expects it'}.`,
      `The mail server cannot be used (REDPEN_SMTP_URL)${shown === undefined ? '' : `: ${shown}`}.`,
    );
  }
}

const ADVICE: Record<string, string> = {
  EAUTH: 'the server refuses its user and password',
  ETLS: 'the server offers no TLS, without which no password is sent to another machine',
  EDNS: 'the name of its host cannot be resolved',
  ENOTFOUND: 'the name of its host cannot be resolved',
  ESOCKET: 'host, port, and whether the server wants TLS from the first byte (smtps:) or later (smtp:)',
};
