import { Page } from '../../ui/page.tsx';

export const EditorPage = () => (
  <Page title="Live editor">
    <p />
  </Page>
);
