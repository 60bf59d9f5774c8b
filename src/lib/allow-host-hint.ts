/** Hosts without characters that are special in a shell. */
const PLAIN_HOST = /^[a-z0-9._:[\]-]+$/;

/** Hint for a host that turned out to be internal when it was connected to. */
export const INTERNAL_HOST_HINT =
  'An internal host has to be allowed by the operator of the service, with `redpen allow-host HOST:PORT` or REDPEN_ALLOW_HOSTS.';

/** Hint for the operator: the command that exempts the host of a URL from the SSRF guard. */
export function allowHostHint(url: string): string {
  const { hostname = '', port = '', protocol } = URL.parse(url) ?? {};
  const plain = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const host = !PLAIN_HOST.test(hostname) ? 'HOST:PORT' : hostname.startsWith('[') ? `'${plain}'` : plain;
  return `The operator of the service allows one with \`redpen allow-host ${host}\` or REDPEN_ALLOW_HOSTS.`;
}
