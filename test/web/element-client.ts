import { createClient } from '../../packages/client/src/index.ts';
import '../../packages/elements/src/elements.ts';

/** A module of the page: its elements use a service. */
declare global {
  interface Window {
    /** Shows elements on a document, or on a review, for the user of a token. */
    connect(place: Connected): void;
  }
}

export interface Connected {
  baseUrl: string;
  /** The token of a user; without it, the server of the page adds its own credentials. */
  token?: string;
  documentId: string;
  elements: { name: string; attributes?: Record<string, string> }[];
}

const person = { userId: 'eve', name: 'Eve', email: 'eve@acme.dev' };
const provider = document.querySelector('rp-provider')!;

window.connect = ({ baseUrl, token, documentId, elements }) => {
  provider.client = createClient({ baseUrl, ...(token && { getUserToken: () => token }) });
  if (!token) provider.user = person;
  provider.organizationId = 'acme';
  provider.documentId = documentId;
  for (const { name, attributes = {} } of elements) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    provider.append(element);
  }
};
document.documentElement.dataset.ready = '';
