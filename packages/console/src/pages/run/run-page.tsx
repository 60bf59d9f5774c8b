import { Page } from '../../ui/page.tsx';

export const RunPage = () => (
  <Page title="Review">
    <p />
  </Page>
);
