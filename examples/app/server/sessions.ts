import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface User {
  id: string;
  name: string;
  email: string;
}

export const users: readonly User[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@saltmarsh.example' },
  { id: 'linus', name: 'Linus Torberg', email: 'linus@saltmarsh.example' },
];

const COOKIE = 'example_session';
const SESSION_SECONDS = 12 * 3_600;
const secret = () => randomBytes(32).toString('base64url');

/** The secrets in the links that sign a user in. Your application has passwords, passkeys or an identity provider here. */
const codes = new Map(users.map((user) => [secret(), user]));
const sessions = new Map<string, { user: User; endsAt: number }>();

export const signInPaths = [...codes].map(([code, user]) => ({ user, path: `/sign-in?code=${code}` }));

/** Starts a session, and returns the value of its `set-cookie`; undefined for a wrong code. */
export function signIn(code: string, isSecure: boolean): string | undefined {
  const user = codes.get(code);
  if (!user) return undefined;
  const id = secret();
  sessions.set(id, { user, endsAt: Date.now() + SESSION_SECONDS * 1_000 });
  // Scripts cannot read the cookie, and requests of other sites do not carry it, except for links to a page.
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_SECONDS}`;
  return `${COOKIE}=${id}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** The user of a request: the cookie alone decides, never anything that the page sends. */
export function userOf({ headers }: IncomingMessage): User | undefined {
  const cookies = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
  const id = cookies.find(([name]) => name === COOKIE)?.[1] ?? '';
  const session = sessions.get(id);
  if (session && session.endsAt > Date.now()) return session.user;
  sessions.delete(id);
  return undefined;
}
