import { Page } from '../../ui/page.tsx';

export const OrganizationPage = () => (
  <Page title="Organization">
    <p />
  </Page>
);
