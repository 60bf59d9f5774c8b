import type { OverlaySettings } from '../settings.ts';

const CLOSED_EVERY_MS = 500;

/**
 * Opens the window in which a person consents that this page comments in their name. The console sends the token to the
 * origin of this page alone. Resolves to undefined if the window is closed before, and to `blocked` if none opens.
 *
 * Call it in the handler of a click, since browsers block other windows.
 */
export function askForToken(settings: OverlaySettings): Promise<string | undefined | 'blocked'> {
  const { baseUrl, organizationId, documentId, apiKeyId } = settings;
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const query = new URLSearchParams({
    ...{ origin: location.origin, organization: organizationId, document: documentId, nonce },
    ...(apiKeyId !== undefined && { key: apiKeyId }),
  });
  const popup = open(`${baseUrl}/console/connect?${query}`, 'redpen-connect', 'popup,width=480,height=680');
  if (!popup) return Promise.resolve('blocked');
  const service = new URL(baseUrl).origin;
  return new Promise((resolve) => {
    const finish = (token: string | undefined) => {
      clearInterval(timer);
      removeEventListener('message', onMessage);
      popup.close();
      resolve(token);
    };
    const onMessage = ({ origin, source, data }: MessageEvent) => {
      // Any window may send messages: only the one that was opened, at the service, and with our nonce, counts.
      if (origin !== service || source !== popup) return;
      const sent = data as { type?: unknown; nonce?: unknown; token?: unknown } | null;
      if (sent?.nonce !== nonce) return;
      // The browser then tells the window the origin of this page, which an address alone does not prove.
      if (sent.type === 'redpen-ready')
        return void popup.postMessage({ type: 'redpen-connect', nonce }, service);
      if (sent.type !== 'redpen-token') return;
      if (typeof sent.token === 'string' && /^[!-~]+$/.test(sent.token)) finish(sent.token);
    };
    const timer = setInterval(() => popup.closed && finish(undefined), CLOSED_EVERY_MS);
    addEventListener('message', onMessage);
  });
}
