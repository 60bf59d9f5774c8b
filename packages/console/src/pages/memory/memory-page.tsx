import { Page } from '../../ui/page.tsx';

export const MemoryPage = () => (
  <Page title="Memory">
    <p />
  </Page>
);
