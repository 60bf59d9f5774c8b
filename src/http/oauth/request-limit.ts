import type { RateLimit } from '../endpoint.ts';

/** A request may fetch the document of a client. */
export const REQUEST_LIMIT: RateLimit = {
  name: 'oauth.request',
  perMinute: ({ keyRateFactor }) => 60 * keyRateFactor,
  message: 'Too many authorization requests. Try again after 1 minute.',
};

/** When the three operations refuse a request. */
export const BAD_CLIENT =
  'The document of the client cannot be read, or it does not have the redirect URI: the person must not be sent there.';
