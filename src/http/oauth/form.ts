import type { FastifyRequest } from 'fastify';

/** Codes of errors (RFC 6749, section 5.2; RFC 8707, section 2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type';

/** A refusal of a request to the token endpoint, whose words are for the developers of clients. */
export class OAuthRefusal extends Error {
  override name = 'OAuthRefusal';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type Form = Readonly<Record<string, string | undefined>>;

/**
 * The parameters of a request, each at most once; those without a value count as left out (RFC 6749, section 3.2). Throws
 * `OAuthRefusal`, also for a client that authenticates, because the service knows no secrets of clients.
 */
export function readForm({ headers, body }: FastifyRequest): Form {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new OAuthRefusal('invalid_request', 'The content-type must be application/x-www-form-urlencoded.');
  }
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
    throw new OAuthRefusal('invalid_request', 'The request body must not be compressed.');
  }
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams((body as Buffer | undefined)?.toString() ?? '')) {
    if (value === '') continue;
    if (form[name] !== undefined) {
      throw new OAuthRefusal(
        'invalid_request',
        `The parameter ${name.slice(0, 100)} is sent more than once.`,
      );
    }
    form[name] = value;
  }
  if (headers.authorization !== undefined || form.client_secret !== undefined || form.client_assertion) {
    throw new OAuthRefusal(
      'invalid_client',
      'Clients of this service do not authenticate: send the client_id alone, as the metadata says.',
    );
  }
  return form;
}

/** A parameter that must be there. */
export function required(form: Form, name: string): string {
  const value = form[name];
  if (value === undefined) throw new OAuthRefusal('invalid_request', `The parameter ${name} is missing.`);
  return value;
}
