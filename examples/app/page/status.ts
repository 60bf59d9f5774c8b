import { attempt, byId, el } from './dom.ts';
import { threads } from './redpen.ts';

const TEXTS = {
  loading: 'Connecting …',
  live: '',
  offline: 'No connection. What you write is kept, and sent when the connection is back.',
  ended: 'This document is no longer available.',
  failed: 'The comments cannot be loaded. Reload the page to try again.',
};

/** Says when the page is not up to date, and what of an earlier visit could not be sent. */
export function showStatus(): void {
  const update = () => {
    const { status, unsent } = threads.get();
    // The browser may know earlier than an open connection.
    byId('status').textContent = TEXTS[status === 'live' && !navigator.onLine ? 'offline' : status];
    byId('status').className = status;
    byId('unsent').replaceChildren(
      ...unsent.map(({ id, error }) =>
        el(
          'li',
          {},
          `A change could not be sent: ${error.message} `,
          el(
            'button',
            { type: 'button', className: 'quiet', onclick: () => attempt(threads.discard(id)) },
            'Dismiss',
          ),
        ),
      ),
    );
  };
  threads.subscribe(update);
  addEventListener('online', update);
  addEventListener('offline', update);
  update();
}
