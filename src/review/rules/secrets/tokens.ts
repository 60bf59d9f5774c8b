import { type Fields, isObject } from '../../../lib/json.ts';
import { isPlaceholder, isPublished, type Leak, type LeakSource, looksInvented, REVOKE } from './leak.ts';
import { type SecretIssue, secretRules } from './secret-rules.ts';

interface TokenKind {
  noun: string;
  pattern: RegExp;
  severity?: Leak['severity'];
  issueType?: SecretIssue;
  /** If this matches around the token, it is public on purpose. */
  unless?: RegExp;
}

/** Keys and tokens of known forms. */
const KINDS: readonly TokenKind[] = [
  { noun: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{12,20}\b/g },
  {
    noun: 'an AWS secret key',
    pattern: /(?<=aws.{0,30}(?:secret|key).{0,20}["'=: ])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
  },
  {
    noun: 'a Google API key',
    pattern: /\bAIza[\w-]{30,45}(?![\w-])/g,
    severity: 'high',
    unless: /maps\.googleapis|authDomain|firebase|recaptcha|youtube/i,
  },
  { noun: 'a Google OAuth secret', pattern: /\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}/g },
  { noun: 'a GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{30,}/g },
  { noun: 'a GitLab token', pattern: /\bgl(?:pat|ptt|dt|rt)-[\w-]{18,}/g },
  { noun: 'a Slack token', pattern: /\bxox[abeoprs]-[\w-]{10,}|\bxapp-\d-[\w-]{10,}/g },
  {
    noun: 'the address of a webhook',
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,}|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}|[\w-]+\.webhook\.office\.com\/[\w@/-]{20,})/g,
    severity: 'high',
  },
  { noun: 'a Stripe secret key', pattern: /\b(?:sk|rk)_live_\w{10,}|\bwhsec_\w{16,}/g },
  { noun: 'a Stripe test key', pattern: /\b(?:sk|rk)_test_\w{10,}/g, severity: 'medium' },
  { noun: 'an Anthropic API key', pattern: /\bsk-ant-[\w-]{16,}/g },
  {
    noun: 'an API key of a model provider',
    pattern: /\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}/g,
  },
  { noun: 'a Hugging Face token', pattern: /\bhf_[A-Za-z]{30,}/g },
  { noun: 'a SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { noun: 'a Mailgun key', pattern: /\bkey-[0-9a-z]{32}\b/g },
  { noun: 'a Mailchimp key', pattern: /\b[0-9a-f]{32}-us\d{1,2}\b/g },
  { noun: 'a Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g },
  { noun: 'a Telegram bot token', pattern: /(?<![\w/])\d{8,10}:AA[\w-]{32,}/g },
  { noun: 'a Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{28,}/g },
  { noun: 'a Square token', pattern: /\bsq0(?:csp|atp)-[\w-]{22,}|\bEAAA[\w-]{60}/g },
  { noun: 'a DigitalOcean token', pattern: /\bdo[opr]_v1_[0-9a-f]{40,}/g },
  { noun: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { noun: 'a PyPI token', pattern: /\bpypi-[\w-]{40,}/g },
  { noun: 'a Mapbox secret token', pattern: /\bsk\.eyJ[\w-]{20,}\.[\w-]{10,}/g },
  { noun: 'an Atlassian token', pattern: /\bATATT3[\w=-]{30,}/g },
  { noun: 'a New Relic key', pattern: /\bNRAK-[A-Z0-9]{20,}/g },
  { noun: 'a Vault token', pattern: /\bhv[sb]\.[\w-]{20,}/g },
  { noun: 'a Databricks token', pattern: /\bdapi[0-9a-f]{32}/g },
  {
    noun: 'an API key',
    pattern:
      /\b(?:lin_api_\w{30,}|ntn_\w{30,}|secret_[A-Za-z0-9]{40,}|tskey-[\w-]{20,}|rnd_[A-Za-z0-9]{28,}|phx_\w{30,}|pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}|AGE-SECRET-KEY-[A-Z0-9]{40,})/g,
  },
  { noun: 'a key of a storage account', pattern: /AccountKey=[A-Za-z0-9+/]{40,}={0,2}/g },
  {
    noun: 'a signed address',
    pattern:
      /[?&](?:X-Amz-Signature|X-Goog-Signature)=[0-9a-fA-F]{32,}|[?&](?:amp;)?(?:sig|Signature)=[\w%/+-]{30,}/g,
    issueType: 'exposed-signed-link',
  },
  {
    noun: 'a private key',
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g,
    issueType: 'exposed-private-key',
  },
];

const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}/g;

export function tokenLeaks({ text, kind, label, isTaught, isPreformatted }: LeakSource): Leak[] {
  const isSample = kind === 'code' || (isTaught && isPreformatted);
  const found = KINDS.flatMap((one) =>
    [...text.matchAll(one.pattern)].flatMap((match): Leak[] => {
      const around = text.slice(Math.max(0, match.index - 200), match.index + match[0].length + 200);
      const isKey = one.issueType === 'exposed-private-key';
      if (isPublished(match[0]) || one.unless?.test(`${label} ${around}`)) return [];
      const isQuoted = kind === 'code' || kind === 'words';
      if (
        isKey
          ? isQuoted &&
            !/^\s*[A-Za-z0-9+/=\s]{16,}/.test(
              text.slice(match.index + match[0].length).replace(/^.*?:.*$/m, ''),
            )
          : isStandInToken(match[0])
      )
        return [];
      if (!isKey && (isSample || isTaught) && (looksInvented(match[0]) || /_test_/.test(match[0]))) return [];
      return [
        leak(
          match,
          one.noun,
          one.severity ?? secretRules[one.issueType ?? 'exposed-credential'].severity,
          one.issueType ?? 'exposed-credential',
          isKey ? 20 : 5,
        ),
      ];
    }),
  );
  const jwts = [...text.matchAll(JWT)].flatMap((match): Leak[] => {
    const payload = payloadOf(match[0]);
    // Some services give each visitor a token without rights.
    if (!payload || payload.role === 'anon' || isSample || isPublished(match[0])) return [];
    if (/^(john doe|jane doe|alice|bob)$/i.test(String(payload.name ?? ''))) return [];
    return [leak(match, 'a JSON Web Token', 'high', 'exposed-credential', 5)];
  });
  return [...found, ...jwts];
}

const isStandInToken = (token: string): boolean => isPlaceholder(token);

function leak(
  match: RegExpExecArray,
  noun: string,
  severity: Leak['severity'],
  issueType: SecretIssue,
  quotable: number,
): Leak {
  return {
    issueType,
    noun,
    from: match.index,
    to: match.index + match[0].length,
    quotable,
    severity,
    confidence: 95,
    suggestion: REVOKE,
  };
}

function payloadOf(token: string): Fields | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'));
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
