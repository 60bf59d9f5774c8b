import type { KeyObject } from 'node:crypto';
import type { Keyring } from '../../lib/crypto.ts';
import { secretsOfUrl } from '../../lib/text/secret-shapes.ts';
import { openServiceSecret } from '../../store/platform/service-configs.ts';
import { openSigningSecrets } from '../../store/webhooks/endpoints.ts';
import type { LaneEndpoint } from '../../store/webhooks/lanes.ts';
import { readPublicKey } from '../settings/public-key.ts';
import { advancedSettings, type BodyFormat, basicSettings } from '../settings/stored-settings.ts';
import { protect } from './seal-body.ts';
import type { Parcel } from './send.ts';
import { signedHeaders } from './sign-webhook.ts';
import { wrapBody } from './wrap-body.ts';

/** An endpoint ready to be sent to: its secrets opened, its key read. */
export interface Target {
  url: string;
  format: BodyFormat;
  publicKey: KeyObject | undefined;
  /** Those that sign. */
  signing: string[];
  /** Of the basic configuration. */
  authToken: string | undefined;
  /** Those that the address holds, long enough to be told from other text. */
  inUrl: string[];
}

/** Undefined where the service that the endpoint belongs to is turned off. */
export function targetOf(endpoint: LaneEndpoint, keyring: Keyring, now: number): Target | undefined {
  const { apiKeyId, kind, config, serviceSecretSealed } = endpoint;
  const stored = config ? { config, secretSealed: serviceSecretSealed } : undefined;
  const settings = kind === 'advanced' ? advancedSettings(stored) : basicSettings(stored);
  if (!settings.isEnabled) return undefined;
  return {
    url: endpoint.url,
    format: settings,
    publicKey:
      settings.encryptData && settings.publicKey !== '' ? readPublicKey(settings.publicKey) : undefined,
    signing: openSigningSecrets(keyring, endpoint, now),
    inUrl: secretsOfUrl(endpoint.url).filter((secret) => secret.length >= 6),
    authToken:
      kind !== 'advanced' && serviceSecretSealed
        ? openServiceSecret(keyring, apiKeyId, 'webhook', serviceSecretSealed)
        : undefined,
  };
}

/** What goes over the wire for one try. The format is that of now; the id stays, whatever happens. */
export function pack(
  { url, format, publicKey, signing, authToken, inUrl }: Target,
  { messageId, json, at }: { messageId: string; json: string; at: number },
): Parcel {
  const body = wrapBody(format.enableDataProtection ? protect(json) : json, format, publicKey);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      accept: '*/*',
      ...signedHeaders({ messageId, at, body, secrets: signing }),
      ...(authToken && { authorization: `Basic ${authToken}` }),
    },
    body,
    secrets: [...signing, ...(authToken ? [authToken] : []), ...inUrl],
  };
}
