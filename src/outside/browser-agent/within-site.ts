/** True if a URL is on the hosts of the site, with or without `www.`, or on subdomains of them. */
export function isWithinSite(address: string, site: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  return site.some((one) => {
    const own = URL.parse(one);
    if (!own) return false;
    const name = own.hostname.replace(/^www\./, '');
    return url.hostname === name ? url.port === own.port : url.hostname.endsWith(`.${name}`);
  });
}
