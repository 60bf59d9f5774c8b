import type { ErrorComponentProps } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { classOf, LinkButton } from '../ui/link-button.tsx';
import { Page } from '../ui/page.tsx';
import { isOldPage } from './old-page.ts';

const Failure = lazy(async () => ({ default: (await import('../ui/failure.tsx')).Failure }));

/** Shows a failure of a page within the frame, so that the other pages stay reachable. */
export const PageFailure = ({ error, reset }: ErrorComponentProps) =>
  isOldPage(error) ? (
    <Page title="The console was updated" lead="This page belongs to an earlier version of the service.">
      <div>
        <button type="button" className={classOf({ variant: 'primary' })} onClick={() => location.reload()}>
          Load the new version
        </button>
      </div>
    </Page>
  ) : (
    <Page title="This page failed">
      <Suspense>
        <Failure error={error} onRetry={reset} />
      </Suspense>
    </Page>
  );

/** Stands in for a page at an address that leads nowhere, within the frame of the key. */
export const NoSuchPage = () => (
  <Page
    title="There is no such page"
    lead="The address leads nowhere in the console. Choose a page of the menu."
  >
    <div>
      <LinkButton to="/" variant="primary">
        Go to the start
      </LinkButton>
    </div>
  </Page>
);

/** The same where no key is known, and so no frame. */
export const NoSuchPlace = () => (
  <main>
    <NoSuchPage />
  </main>
);
