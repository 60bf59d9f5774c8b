import { Page } from '../../ui/page.tsx';

export const NewAgentPage = () => (
  <Page title="New agent">
    <p />
  </Page>
);
