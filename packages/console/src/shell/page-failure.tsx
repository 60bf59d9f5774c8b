import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button, LinkButton } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

/** True if a part of the console could not be loaded, as after an update of the service. */
const isOldPage = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);

/** Shows a failure of a page within the frame, so that the other pages stay reachable. */
export const PageFailure = ({ error, reset }: ErrorComponentProps) =>
  isOldPage(error) ? (
    <Page title="The console was updated" lead="This page belongs to an earlier version of the service.">
      <div>
        <Button variant="primary" onPress={() => location.reload()}>
          Load the new version
        </Button>
      </div>
    </Page>
  ) : (
    <Page title="This page failed">
      <Failure error={error} onRetry={reset} />
    </Page>
  );

export const NoSuchPage = () => (
  <Page title="There is no such page" lead="The address leads nowhere in the console.">
    <div>
      <LinkButton to="/" variant="primary">
        Go to the start
      </LinkButton>
    </div>
  </Page>
);
