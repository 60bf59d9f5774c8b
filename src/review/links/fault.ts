import { isLoginRedirect } from './auth-wall.ts';
import type { Reached } from './follow-redirects.ts';
import type { LinkKind } from './page-links.ts';

/** What is wrong with an address. */
export interface Fault {
  type:
    | 'invalid-url'
    | 'http'
    | 'auth'
    | 'rate-limited'
    | 'timeout'
    | 'network'
    | 'redirect-loop'
    | 'too-many-redirects'
    | 'bad-redirect'
    | 'fragment';
  redirects: { url: string; status: number }[];
  finalUrl: string;
  status?: number;
  /** How the exchange failed, in the words of the outbound fetch. */
  failure?: string;
  /** Whether the address itself was not asked, since its host answers nothing. */
  presumed?: boolean;
  /** False where scripts may add what is missing and no browser could be asked. */
  certain?: boolean;
}

/** Whether an address fails a reader; `undefined` also where that cannot be known. */
export function judge(reached: Reached, url: string, kind: LinkKind): Fault | undefined {
  const { final, redirects, problem } = reached;
  const fault = (type: Fault['type'], more: Partial<Fault> = {}): Fault => ({
    type,
    redirects,
    finalUrl: final.url,
    ...more,
  });
  if (problem === 'bad-redirect') return fault(problem, { finalUrl: final.location ?? final.url });
  if (problem) return fault(problem);
  // What the outbound guard forbids to ask may work for readers all the same.
  if (final.isBotWall || final.failure === 'refused-host' || final.failure === 'aborted') return undefined;
  if (final.failure === 'timeout')
    return fault('timeout', final.presumed ? { presumed: true, certain: false } : {});
  if (final.failure) return fault('network', { failure: final.failure });

  const status = final.status ?? 0;
  // Without the fields that a reader fills in, only an absent page says something about a form.
  if (kind === 'form' && status !== 404 && status !== 410) return undefined;
  if (status === 401 || status === 403 || status === 407) return fault('auth', { status });
  if (status === 429) return fault('rate-limited', { status });
  if (isFine(status))
    return redirects.length > 0 && isLoginRedirect(url, final.url) ? fault('auth', { status }) : undefined;
  return fault('http', { status });
}

const isFine = (status: number) => (status >= 200 && status <= 300) || status === 304;
