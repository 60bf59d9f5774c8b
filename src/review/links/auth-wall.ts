const LOGIN_WORDS = new Set(
  'login logon signin signon sso auth authenticate authentication authorize oauth oauth2 saml'.split(' '),
);
// A longer name that holds such a word is an article about it rather than a door.
const MAX_WORDS = 3;

/** Whether an address was turned away to where one signs in. */
export function isLoginRedirect(from: string, to: string): boolean {
  return namesLogin(new URL(to)) && !namesLogin(new URL(from));
}

function namesLogin({ hostname, pathname }: URL): boolean {
  const labels = hostname.split('.').slice(0, -2);
  return [...labels, ...pathname.split('/')].some(isLoginName);
}

/** Judges whole words only: `/blogin` and `/authors` are no doors. */
function isLoginName(segment: string): boolean {
  const words = segment
    .replace(/\.(php|aspx?|jsp|html?|do|cgi|action)$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.length === 0 || words.length > MAX_WORDS) return false;
  return words.some(
    (word, index) =>
      LOGIN_WORDS.has(word) ||
      ((word === 'log' || word === 'sign') && (words[index + 1] === 'in' || words[index + 1] === 'on')),
  );
}
