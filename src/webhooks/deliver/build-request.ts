import type { KeyObject } from 'node:crypto';
import type { Keyring } from '../../lib/crypto.ts';
import { secretsOfUrl } from '../../lib/text/secret-shapes.ts';
import { openServiceSecret } from '../../store/platform/service-configs.ts';
import { openSigningSecrets } from '../../store/webhooks/endpoints.ts';
import type { LaneEndpoint } from '../../store/webhooks/lanes.ts';
import { readPublicKey } from '../settings/public-key.ts';
import { advancedSettings, type BodyFormat, basicSettings } from '../settings/stored-settings.ts';
import { protectBody, wrapBody } from './format-body.ts';
import type { WebhookRequest } from './send-webhook.ts';
import { signedHeaders } from './sign-webhook.ts';

/** An endpoint with its secrets opened and its public key parsed, done once for many requests. */
export interface OpenedEndpoint {
  url: string;
  format: BodyFormat;
  publicKey: KeyObject | undefined;
  signingSecrets: string[];
  /** The token of the basic configuration. */
  authToken: string | undefined;
  /** Secrets in the URL, long enough to be told apart from other text. */
  urlSecrets: string[];
}

/** Returns undefined if the service that sends to the endpoint, basic or advanced webhooks, is turned off. */
export function openEndpoint(
  endpoint: LaneEndpoint,
  keyring: Keyring,
  now: number,
): OpenedEndpoint | undefined {
  const { apiKeyId, kind, config, serviceSecretSealed } = endpoint;
  const stored = config ? { config, secretSealed: serviceSecretSealed } : undefined;
  const settings = kind === 'advanced' ? advancedSettings(stored) : basicSettings(stored);
  if (!settings.isEnabled) return undefined;
  return {
    url: endpoint.url,
    format: settings,
    publicKey:
      settings.encryptData && settings.publicKey !== '' ? readPublicKey(settings.publicKey) : undefined,
    signingSecrets: openSigningSecrets(keyring, endpoint, now),
    urlSecrets: secretsOfUrl(endpoint.url).filter((secret) => secret.length >= 6),
    authToken:
      kind !== 'advanced' && serviceSecretSealed
        ? openServiceSecret(keyring, apiKeyId, 'webhook', serviceSecretSealed)
        : undefined,
  };
}

/** The request of one attempt. Its format follows the present settings; its `webhook-id` is the same every time. */
export function buildRequest(
  { url, format, publicKey, signingSecrets, authToken, urlSecrets }: OpenedEndpoint,
  { messageId, json, at }: { messageId: string; json: string; at: number },
): WebhookRequest {
  const body = wrapBody(format.enableDataProtection ? protectBody(json) : json, format, publicKey);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      accept: '*/*',
      ...signedHeaders({ messageId, at, body, secrets: signingSecrets }),
      ...(authToken && { authorization: `Basic ${authToken}` }),
    },
    body,
    secrets: [...signingSecrets, ...(authToken ? [authToken] : []), ...urlSecrets],
  };
}
