/** True for an origin that only programs of the same computer reach. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}

/** A warning of what keeps an assistant from the service, or is unsafe on the way; undefined without such. */
export function warningFor(origin: string, isHosted: boolean): string | undefined {
  const isEncrypted = origin.startsWith('https:');
  if (isHosted && isLoopback(origin))
    return `Hosted assistants cannot reach ${origin}: only programs on this computer can. Open the console at an address that the internet reaches, or connect an assistant that runs here.`;
  if (isEncrypted || isLoopback(origin)) return undefined;
  return isHosted
    ? 'Hosted assistants need an address with https that the internet reaches. Put Redpen behind a proxy with TLS, and open the console there.'
    : 'The token crosses the network unencrypted, as this address is not one with https. Put Redpen behind a proxy with TLS before you connect an assistant on another computer.';
}
