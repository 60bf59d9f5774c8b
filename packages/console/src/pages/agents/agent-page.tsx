import { Page } from '../../ui/page.tsx';

export const AgentPage = () => (
  <Page title="Agent">
    <p />
  </Page>
);
