import { kept, type OverlaySettings } from './settings.ts';

/** Less than this is left of a token that is not used any more. */
const LEAST_LIFE_MS = 30_000;

export interface Tokens {
  /** True if no person has to sign in. */
  readonly isReady: boolean;
  /** A token that is still valid; asks the page's backend for one. Fails if a person has to sign in. */
  get(): Promise<string>;
  /** Takes the token of a person who has signed in. */
  take(token: string): void;
  forget(): void;
}

interface Claims {
  exp?: number;
  origin?: string;
}

function claimsOf(token: string): Claims {
  try {
    return JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
  } catch {
    return {};
  }
}

/** True if a token is valid for a while, and for this page. */
function isUsable(token: string): boolean {
  const { exp, origin } = claimsOf(token);
  const isOurs = origin === undefined || origin === location.origin;
  return isOurs && (exp === undefined || exp * 1_000 - Date.now() > LEAST_LIFE_MS);
}

/** Tokens of a service are kept in this tab, and for this document of the service only. */
export function tokensOf({ baseUrl, organizationId, documentId, tokenUrl }: OverlaySettings): Tokens {
  const name = `token ${JSON.stringify([baseUrl, organizationId, documentId])}`;
  const stored = (): string | undefined => {
    const token = kept.get(name);
    return token && isUsable(token) ? token : undefined;
  };
  async function ask(url: string): Promise<string> {
    const credentials = new URL(url).origin === location.origin ? 'same-origin' : 'omit';
    const response = await fetch(url, { method: 'POST', credentials });
    if (!response.ok) throw new Error(`The page's backend gives no token: HTTP status ${response.status}.`);
    return (await response.text()).trim();
  }
  let given: string | undefined;
  return {
    get isReady() {
      return tokenUrl !== undefined || stored() !== undefined;
    },
    async get() {
      if (tokenUrl) return await ask(tokenUrl);
      const token = stored();
      // The client asks again after the service has refused a token.
      if (!token || token === given) {
        kept.set(name, undefined);
        given = undefined;
        throw new Error('No user is signed in.');
      }
      given = token;
      return token;
    },
    take(token) {
      given = undefined;
      kept.set(name, token);
    },
    forget: () => kept.set(name, undefined),
  };
}
