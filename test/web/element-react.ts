import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '../../packages/client/src/index.ts';
import {
  Composer,
  Findings,
  type ListedFinding,
  RedpenProvider,
  Threads,
  useThreads,
} from '../../packages/elements/src/react.ts';
import type { Connected } from './element-client.ts';

declare global {
  interface Window {
    mount(place: Connected): void;
  }
}

const findings: ListedFinding[] = [{ id: 'one', title: 'Link leads nowhere', severity: 'high' }];

function Count({ documentId }: { documentId: string }) {
  const { threads, status } = useThreads({ organizationId: 'acme', documentId });
  return h('output', null, `${status}: ${threads.length}`);
}

function App({ documentId }: { documentId: string }) {
  const [selected, select] = useState<string>();
  return h(
    'div',
    null,
    h('p', null, `Selected: ${selected ?? 'none'}`),
    h(Findings, {
      findings,
      noFilter: true,
      ...(selected && { selected }),
      onFindingSelect: (event) => {
        event.preventDefault();
        select(event.detail.id);
      },
    }),
    h(Composer, { draftKey: 'react', label: 'Own field' }),
    h(Threads, { noComposer: true }),
    h(Count, { documentId }),
  );
}

window.mount = ({ baseUrl, token, documentId }) => {
  const client = createClient({ baseUrl, getUserToken: () => token! });
  const app = h(App, { documentId });
  createRoot(document.querySelector('main')!).render(
    h(StrictMode, null, h(RedpenProvider, { client, organizationId: 'acme', documentId, children: app })),
  );
};
document.documentElement.dataset.ready = '';
