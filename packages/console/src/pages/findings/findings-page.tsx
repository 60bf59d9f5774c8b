import { Page } from '../../ui/page.tsx';

export const FindingsPage = () => (
  <Page title="Findings">
    <p />
  </Page>
);
