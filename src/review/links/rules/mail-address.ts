import { decoded } from '../../../lib/text/decoded.ts';

/**
 * The fault of a `mailto:` address (RFC 6068), as a clause that follows "The mail link …"; undefined if mail
 * programs can use it. They also understand semicolons between addresses, names before an address in angle brackets,
 * raw spaces and letters beyond ASCII.
 */
export function mailFault(href: string): string | undefined {
  const rest = href.trim().replace(/^mailto:/i, '');
  if (rest.startsWith('//')) return 'begins with “mailto://”, and mail addresses have no slashes';
  const mark = rest.indexOf('?');
  const recipients = decoded(mark === -1 ? rest : rest.slice(0, mark)).trim();
  const fields = mark === -1 ? '' : rest.slice(mark + 1);
  if (recipients === '') {
    return /(^|&(amp;)?)(to|cc|bcc|subject|body)=/i.test(fields) ? undefined : 'names no mail address';
  }
  if (/&(amp;)?(subject|body|cc|bcc)=/i.test(recipients))
    return 'lacks the question mark between the address and its fields';
  const addresses = splitRecipients(recipients);
  if (addresses.length === 0) return 'names no mail address';
  for (const address of addresses) {
    const fault = addressFault(address);
    if (fault) return fault;
  }
  return undefined;
}

/** Splits at commas and semicolons outside of quotation marks. */
const splitRecipients = (text: string): string[] =>
  (text.match(/(?:"(?:\\.|[^"\\])*"|[^,;"]|")+/g) ?? []).map((one) => one.trim()).filter(Boolean);

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

function addressFault(written: string): string | undefined {
  const address = /<([^<>]*)>$/.exec(written)?.[1]?.trim() ?? written;
  const at = address.lastIndexOf('@');
  if (at === -1) return `has no @ in “${address}”`;
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (local === '') return `has nothing before the @ of “${address}”`;
  if (domain === '') return `has nothing after the @ of “${address}”`;
  if (!isLocalPart(local)) return `has a part before the @ that is not valid: “${local}”`;
  if (!isDomain(domain)) return `has a part after the @ that is not valid: “${domain}”`;
  return undefined;
}

/** Dots at odd places exist in practice, at providers that allow them. */
const isLocalPart = (local: string): boolean =>
  local.length <= MAX_LOCAL && (/^"[^"\r\n]*"$/.test(local) || /^[^\s"(),:;<>@[\\\]{}]+$/.test(local));

function isDomain(domain: string): boolean {
  if (domain.length > MAX_DOMAIN) return false;
  if (/^\[[\da-f:.]+\]$|^\[ipv6:[\da-f:.]+\]$/i.test(domain)) return true;
  const labels = domain.split('.');
  const last = labels.at(-1) === '' ? labels.at(-2) : labels.at(-1);
  const named = labels.at(-1) === '' ? labels.slice(0, -1) : labels;
  return (
    named.every((label) =>
      /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?$/u.test(label),
    ) &&
    (named.length === 1 || /\p{L}/u.test(last ?? ''))
  );
}
