import { Page } from '../../ui/page.tsx';

export const StartPage = () => (
  <Page title="Start">
    <p />
  </Page>
);
