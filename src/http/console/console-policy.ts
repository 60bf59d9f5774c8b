import { randomBytes } from 'node:crypto';

/** Part of a page that each response replaces by a nonce. */
export const PLACEHOLDER = 'redpen-nonce';

/**
 * A library of components adds styles when the page runs, which the nonce allows. Texts become markup or code only through
 * the policies named here: that of Lit for its templates, and a default one that allows nothing but an empty text.
 */
const policyWith = (nonce: string, scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default lit-html redpen',
  ].join('; ');

/**
 * The pages on which a person lets an overlay or an assistant in. The window of the one that asks may have opened them, and
 * waits for the answer, or for what the redirect of OAuth shows in its place.
 */
const ANSWERING = ['/console/connect', '/console/authorize'];

/** A page of the console with headers that belong to this response. `isWaiting`: its only script is written in it. */
export function protectPage(
  path: string,
  html: string,
  isWaiting: boolean,
): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64');
  return {
    html: html.replaceAll(PLACEHOLDER, nonce),
    headers: {
      'content-security-policy': policyWith(nonce, isWaiting ? `'nonce-${nonce}'` : "'self'"),
      'referrer-policy': 'no-referrer',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'cross-origin-resource-policy': 'same-origin',
      ...(ANSWERING.includes(path.replace(/\/$/, '')) ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
    },
  };
}
