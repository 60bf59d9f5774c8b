import { Page } from '../../ui/page.tsx';

export const DocumentPage = () => (
  <Page title="Document">
    <p />
  </Page>
);
