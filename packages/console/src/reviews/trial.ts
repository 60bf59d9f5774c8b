import type { Redpen } from '@redpen/client';

/** A document that was made for a first review, until a person keeps it as a project. */
export interface TrialPlace {
  organizationId: string;
  documentId: string;
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|[\w.-]+\.localhost)(?=[:/?#]|$)/i;

/** The address that a person means: what is typed without a scheme is https, and http on the same machine. */
export function addressOf(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `${LOCAL.test(text) ? 'http' : 'https'}://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const isHost = url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('[');
  return isHost ? url.href : undefined;
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z\d.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);

/** The organization is named after the host, the document after the path. */
export function placeOf(address: string): TrialPlace {
  const { host, pathname, search } = new URL(address);
  return { organizationId: slugOf(host) || 'site', documentId: slugOf(pathname + search) || 'home' };
}

/** The name that is offered for the project of an address. */
export function projectNameOf(address: string): string {
  const { host, pathname } = new URL(address);
  return pathname === '/' ? host : `${host}${pathname.replace(/\/$/, '')}`;
}

/**
 * Makes the document of an address, so that its findings can be decided on and discussed. One that is there already is
 * left as it is. Returns true if it was made.
 */
export async function makePlace(redpen: Redpen, place: TrialPlace, address: string): Promise<boolean> {
  const { organizationId, documentId } = place;
  await redpen.organizations.add({
    organizations: [{ organizationId, organizationName: new URL(address).host, trial: true }],
  });
  const added = await redpen.documents.add({
    organizationId,
    documents: [{ documentId, documentName: projectNameOf(address), url: address, trial: true }],
  });
  return added[documentId]?.success === true;
}

/** Gives the document its name, after which it is a project like any other. */
export async function keepPlace(
  redpen: Redpen,
  { organizationId, documentId }: TrialPlace,
  names: { organizationName: string; documentName: string },
): Promise<void> {
  await redpen.organizations.update({
    organizations: [{ organizationId, organizationName: names.organizationName, trial: false }],
  });
  await redpen.documents.update({
    organizationId,
    documents: [{ documentId, documentName: names.documentName, trial: false }],
  });
}

/** Deletes the document, and the organization that was made for it if nothing else is in it. */
export async function discardPlace(
  redpen: Redpen,
  { organizationId, documentId }: TrialPlace,
): Promise<void> {
  await redpen.documents.delete({ organizationId, documentIds: [documentId] });
  const left = await redpen.documents.list({ organizationId, pageSize: 1 });
  const [organization] = await redpen.organizations.list({ organizationIds: [organizationId] });
  if (left.length === 0 && organization?.trial === true)
    await redpen.organizations.delete({ organizationIds: [organizationId] });
}
