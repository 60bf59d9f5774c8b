/** Host names and addresses that mean nothing to a shell; a URL may hold others. */
const PLAIN_HOST = /^[a-z0-9._:[\]-]+$/;

/** How the operator exempts the host of a URL from the ban on internal hosts, in a sentence. */
export function allowHostHint(url: string): string {
  const { hostname = '', port = '', protocol } = URL.parse(url) ?? {};
  const plain = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const host = !PLAIN_HOST.test(hostname) ? 'HOST:PORT' : hostname.startsWith('[') ? `'${plain}'` : plain;
  return `The operator of the service allows one with \`redpen allow-host ${host}\` or REDPEN_ALLOW_HOSTS.`;
}
