import { Page } from '../../ui/page.tsx';

export const WelcomePage = () => (
  <Page title="Welcome">
    <p />
  </Page>
);
