export interface RedisAddress {
  host: string;
  port: number;
  secure: boolean;
  /** Undefined if the server requires none. */
  username: string | undefined;
  password: string | undefined;
  database: number;
}

/**
 * Parses `redis://user:password@host:port/database`, or `rediss:` for TLS. Error messages quote nothing of the URL,
 * since it may contain a password.
 */
export function readRedisUrl(text: string): RedisAddress {
  const url = URL.parse(text);
  if (url?.protocol !== 'redis:' && url?.protocol !== 'rediss:') {
    throw new Error('The address of Redis must be a URL that begins with redis:// or rediss://.');
  }
  const path = url.pathname.replace(/^\//, '');
  if (!/^\d{0,5}$/.test(path))
    throw new Error('The path in the URL of Redis must be the number of a database.');
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: url.port === '' ? 6379 : Number(url.port),
    secure: url.protocol === 'rediss:',
    username: decode(url.username),
    password: decode(url.password),
    database: Number(path),
  };
}

function decode(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('The user and password in the URL of Redis must be percent-encoded.');
  }
}
