import { Page } from '../../ui/page.tsx';

export const PeoplePage = () => (
  <Page title="People and access">
    <p />
  </Page>
);
