import { decoded } from '../../lib/text/decoded.ts';

const SIGNS_OUT = words(
  'logout logoff signout signoff endsession sessionend slo abmelden ausloggen deconnexion sedeconnecter cerrarsesion uitloggen afmelden wyloguj',
);
const CHANGES = words(
  'delete remove destroy unsubscribe revoke deactivate disable terminate purge erase cancel unlink loeschen löschen supprimer eliminar borrar',
);
/** Words after one of the changes above, beyond which a name is more likely that of an article. */
const MAX_WORDS_AFTER = 1;
const COMMANDS = words('action do cmd command op operation task method event mode');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/**
 * True for an address that looks as if a request would end the session or change something, such as `/logout`,
 * `/users/5/delete` and `?action=remove`. Runs that are signed in do not request it.
 */
export function looksLikeAction(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const segments = url.pathname.split('/').map(decoded);
  const parameters = [...url.searchParams].map(([name, value]) => ({ name: name.toLowerCase(), value }));
  return (
    segments.some(isAction) ||
    parameters.some(({ name, value }) => isSignOut(partsOf(name)) || (COMMANDS.has(name) && isAction(value)))
  );
}

function isAction(name: string): boolean {
  const parts = partsOf(name);
  if (isSignOut(parts)) return true;
  const [first = ''] = parts;
  return CHANGES.has(first) && parts.length <= 1 + MAX_WORDS_AFTER;
}

/** True for names such as `logout`, `log-out`, `userLogout` and `wp_sign_out`, but not for a title with these words. */
function isSignOut(parts: readonly string[]): boolean {
  if (parts.length > 4) return false;
  return parts.some((part, index) => SIGNS_OUT.has(part) || SIGNS_OUT.has(part + (parts[index + 1] ?? '')));
}

/** The words of a name, without the ending of a file. */
const partsOf = (name: string): string[] =>
  name
    .replace(/\.(php|aspx?|jsp|html?|do|cgi|action)$/i, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
