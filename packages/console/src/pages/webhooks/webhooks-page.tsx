import { Page } from '../../ui/page.tsx';

export const WebhooksPage = () => (
  <Page title="Webhooks">
    <p />
  </Page>
);
