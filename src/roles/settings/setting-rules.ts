import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export const flagList = <const T extends string>(allowed: readonly T[]) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(allowed, { error: `must be any of ${allowed.join(', ')}` })).min(1));

/** A whole number within bounds, with one message for all other values. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

export const oneOf = <const T extends string>(allowed: readonly T[]) =>
  z.enum(allowed, { error: `must be one of ${allowed.join(', ')}` });

/** A text that is checked by `judge`, which returns the problem, if any. */
export const judged = (judge: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const message = judge(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** A comma-separated list. `check` throws if an entry is invalid. */
export const listOf = (check: (entry: string) => unknown) =>
  z.string().transform((text, context) => {
    const entries = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    for (const entry of entries) {
      try {
        check(entry);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
      }
    }
    return entries;
  });

/** Prices of a million tokens of a model. */
export interface ModelPrice {
  input: number;
  output: number;
}

const PRICE = /^((?:claude|openai|gemini)\/\S+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/;

/** Comma-separated `provider/model=INPUT/OUTPUT`, as prices by model. */
export const modelPrices = z.string().transform((text, context) => {
  const prices = new Map<string, ModelPrice>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, model, input, output] = PRICE.exec(entry) ?? [];
    if (model === undefined) {
      const message = `must be prices such as openai/gpt-5=1.25/10, and ${entry} is none`;
      context.addIssue({ code: 'custom', message });
    } else if (prices.has(model)) {
      context.addIssue({ code: 'custom', message: `has two prices for ${model}` });
    } else prices.set(model, { input: Number(input), output: Number(output) });
  }
  return prices;
});

/** Throws if the entry is not an address or range of proxies. */
export function checkProxy(entry: string): void {
  const [address = '', prefix, ...more] = entry.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(address) === 0 || !fits || more.length > 0)
    throw new Error(`must be addresses or ranges such as 10.0.0.0/8, and ${entry} is none`);
  if (Number(prefix) === 0)
    throw new Error(`must not be all addresses, whose headers would be believed: ${entry}`);
}

export const url = (...protocols: string[]) =>
  judged((text) => {
    const begins = protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`));
    if (!begins)
      return `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    const { hostname } = URL.parse(text) ?? {};
    if (hostname === undefined) return 'must be a URL, and its host or port is none';
    return hostname === '' && !text.startsWith('postgres') ? 'must be a URL with a host' : undefined;
  });

/** URL of a Redis server. Its path, if any, is the number of a database. */
export const redisUrl = url('redis:', 'rediss:').refine(
  (text) => /^\/?\d*$/.test(URL.parse(text)?.pathname ?? ''),
  {
    error: 'must have the number of a database as its path, or none',
  },
);

/** A secret without quotes and spaces, which may be left over from an env file. */
export const secretWord = z.string().regex(/^[^\s"']+$/, { error: 'must not contain spaces or quotes' });

export const masterKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, {
    error: 'must be base64 of exactly 32 bytes; `openssl rand -base64 32` makes one',
  })
  .refine((text) => Buffer.from(text, 'base64').some((byte) => byte !== 0), {
    error: 'must be random; `openssl rand -base64 32` makes one',
  });

/** An address or name of this machine, without port, brackets or scheme. */
export const host = judged((text) => {
  if (isIP(text) !== 0) return judgeRange(text);
  if (/^\[.*\]$/.test(text) && isIP(text.slice(1, -1)) === 6) return 'must be the address without brackets';
  if (/^[\d.]+$/.test(text))
    return 'must be an IP address or a name of this machine, and these numbers are no IP address';
  if (/^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_.])?$/i.test(text)) return undefined;
  return 'must be an IP address or a name of this machine alone; the port is set by PORT';
});

/** The system allows a process to listen on addresses at which no connection can arrive. */
function judgeRange(text: string): string | undefined {
  const range = ipaddr.parse(text).range();
  return ['multicast', 'broadcast'].includes(range)
    ? `must be an address of this machine, and this one is ${range}`
    : undefined;
}

const BUCKET_PARAMETERS = ['endpoint', 'region', 'forcePathStyle'];

/** Storage of blobs: `file:///folder`, or `s3://bucket/prefix` with parameters of the bucket. */
export const blobUrl = judged((text) => {
  const address = URL.parse(text);
  if (address?.protocol === 'file:') return judgeFolderUrl(text, address);
  if (address?.protocol === 's3:') return judgeBucket(address);
  return 'must be a URL that begins with file:// or s3://';
});

function judgeFolderUrl(text: string, address: URL): string | undefined {
  // The URL parser would turn a relative path into an absolute one.
  if (!/^file:\/\/(?:localhost)?\//i.test(text))
    return 'must have the whole path of the folder: file:///folder';
  if (address.search !== '' || address.hash !== '')
    return 'must be the address of a folder alone: file:///folder';
  try {
    return fileURLToPath(address) === '/'
      ? 'must be a folder of its own, and not the root of all'
      : undefined;
  } catch (error) {
    return `must be the address of a folder: ${(error as Error).message}`;
  }
}

function judgeBucket({ hostname, username, password, searchParams }: URL): string | undefined {
  if (hostname === '') return 'must name a bucket: s3://bucket/prefix';
  if (username !== '' || password !== '')
    return 'must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  const unknown = [...searchParams.keys()].find((name) => !BUCKET_PARAMETERS.includes(name));
  if (unknown !== undefined) return `has no parameter ${unknown}: there are ${BUCKET_PARAMETERS.join(', ')}`;
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return 'must have an endpoint that begins with http:// or https://';
  const style = searchParams.get('forcePathStyle');
  return style === null || ['true', 'false'].includes(style)
    ? undefined
    : 'must have true or false as forcePathStyle';
}
