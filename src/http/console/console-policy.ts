const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TRUSTED_TYPES = "require-trusted-types-for 'script'";

/** The page on which a person lets an overlay in, whose window waits for the answer. */
const CONNECT = '/console/connect';

/** Headers of each page of the console. */
export const headersOfPage = (path: string): Record<string, string> => ({
  'content-security-policy': POLICY,
  'content-security-policy-report-only': TRUSTED_TYPES,
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...(path === CONNECT ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
});
