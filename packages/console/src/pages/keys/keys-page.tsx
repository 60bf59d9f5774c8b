import { Page } from '../../ui/page.tsx';

export const KeysPage = () => (
  <Page title="Keys and tokens">
    <p />
  </Page>
);
