import { Page } from '../../ui/page.tsx';

export const DocumentsPage = () => (
  <Page title="Documents">
    <p />
  </Page>
);
