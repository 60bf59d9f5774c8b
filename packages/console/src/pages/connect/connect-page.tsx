import { Page } from '../../ui/page.tsx';

export const ConnectPage = () => (
  <Page title="Connect">
    <p />
  </Page>
);
