import type { Redpen, User } from '@redpen/client';

interface Claims {
  sub?: string;
  name?: string;
  email?: string;
}

/** The user of a client's token or session; undefined for other credentials, and for a token that cannot be read. */
export async function userOfToken(client: Redpen): Promise<User | undefined> {
  const { tokens, options } = client.connection;
  if (!tokens) return options.session?.user;
  try {
    const [, claims = ''] = (await tokens.get()).split('.');
    const bytes = Uint8Array.from(atob(claims.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { sub, name, email } = JSON.parse(new TextDecoder().decode(bytes)) as Claims;
    return sub ? { userId: sub, ...(name && { name }), ...(email && { email }) } : undefined;
  } catch {
    return undefined;
  }
}
