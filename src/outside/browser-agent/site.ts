/** Whether an address belongs to the site of others: their hosts, with or without `www.`, and what is below them. */
export function isOfSite(address: string, site: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  return site.some((one) => {
    const own = URL.parse(one);
    if (!own) return false;
    const name = own.hostname.replace(/^www\./, '');
    return url.hostname === name ? url.port === own.port : url.hostname.endsWith(`.${name}`);
  });
}
