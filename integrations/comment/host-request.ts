const TIMEOUT_MS = 30_000;
/** What GitHub asks for after a secondary limit that names no time. */
const UNNAMED_LIMIT_MS = 60_000;

export interface HostAnswer {
  json: unknown;
  /** Address of the next page of a list. */
  next: string | undefined;
}

/** A request that the host of the repository did not carry out. */
export class HostFailure extends Error {
  /** HTTP status; undefined if no answer came. */
  readonly status: number | undefined;
  /** True if the same request may succeed later. */
  readonly mayPass: boolean;
  /** How long the host asks to wait before that. */
  readonly waitMs: number | undefined;

  constructor(
    message: string,
    fields: { status?: number; mayPass: boolean; waitMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: fields.cause });
    this.status = fields.status;
    this.mayPass = fields.mayPass;
    this.waitMs = fields.waitMs;
  }
}

/** Sends one request and reads its answer as JSON. It throws a `HostFailure` unless the host carries it out. */
export async function askHost(
  url: string,
  options: { method?: 'GET' | 'POST' | 'PATCH' | 'PUT'; headers: Record<string, string>; body?: unknown },
): Promise<HostAnswer> {
  const { method = 'GET', headers, body } = options;
  const what = `${method} ${new URL(url).pathname}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new HostFailure(`${what}: no answer (${reasonOf(error)})`, { mayPass: true, cause: error });
  }
  if (!response.ok) {
    const { status } = response;
    const waitMs = waitAskedFor(response, text);
    throw new HostFailure(`${what}: ${status} ${messageOf(text)}`.trimEnd(), {
      status,
      mayPass: status >= 500 || waitMs !== undefined,
      waitMs,
    });
  }
  try {
    return { json: text === '' ? undefined : JSON.parse(text), next: nextOf(response.headers.get('link')) };
  } catch (error) {
    throw new HostFailure(`${what}: the answer is not JSON`, {
      status: response.status,
      mayPass: false,
      cause: error,
    });
  }
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};

/** The wait that a rate limit imposes; undefined for any other refusal. GitHub limits with 403, too. */
function waitAskedFor({ status, headers }: Response, text: string): number | undefined {
  if (status < 500 && status !== 403 && status !== 429) return undefined;
  const after = headers.get('retry-after');
  if (after !== null) return secondsOrDate(after);
  if (status >= 500) return undefined;
  const remaining = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  if (remaining === '0' && Number.isFinite(reset)) return Math.max(0, reset * 1_000 - Date.now());
  return status === 429 || /secondary rate limit/i.test(text) ? UNNAMED_LIMIT_MS : undefined;
}

const secondsOrDate = (value: string): number => {
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : UNNAMED_LIMIT_MS;
};

/** The message of an error, short and on one line, since it goes to the log of a job. */
function messageOf(text: string): string {
  let message: unknown = text;
  try {
    const json = JSON.parse(text) as { message?: unknown; error?: unknown } | null;
    message = json?.message ?? json?.error ?? text;
  } catch {}
  return (typeof message === 'string' ? message : JSON.stringify(message))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
}

/** The address with `rel="next"` of a Link header (RFC 8288). */
export function nextOf(link: string | null): string | undefined {
  for (const [, address, parameters] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters!) ?? [];
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return address;
  }
  return undefined;
}

const TRIES = 5;
const FIRST_WAIT_MS = 1_000;
/** A job that waits longer in all costs more than the comment is worth. */
const LONGEST_WAIT_MS = 300_000;

/**
 * Repeats a piece of work whose failure may pass, at first after a second, or after the time that the host asks for.
 * The work begins anew each time, so that it sees what an unanswered request has changed.
 */
export async function patiently<T>(work: () => Promise<T>, wait: (ms: number) => Promise<void>): Promise<T> {
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HostFailure) || !error.mayPass || attempt === TRIES) throw error;
      const waitMs = error.waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      waited += waitMs;
      if (waited > LONGEST_WAIT_MS) throw error;
      await wait(waitMs);
    }
  }
}

const MOST_PAGES = 100;

/**
 * The entries of a list, page by page. Pages of another origin are not asked for, because the token would go there.
 */
export async function* listOf(first: string, headers: Record<string, string>): AsyncGenerator<unknown> {
  let url: string | undefined = first;
  for (let page = 0; url !== undefined && page < MOST_PAGES; page++) {
    const { json, next }: HostAnswer = await askHost(url, { headers });
    if (!Array.isArray(json))
      throw new HostFailure(`GET ${new URL(url).pathname}: the answer is not a list`, { mayPass: false });
    yield* json;
    url =
      next !== undefined && new URL(next, url).origin === new URL(first).origin
        ? new URL(next, url).href
        : undefined;
  }
}
