import { Page } from '../../ui/page.tsx';

export const AgentsPage = () => (
  <Page title="Agents">
    <p />
  </Page>
);
