import { Page } from '../../ui/page.tsx';

export const SettingsPage = () => (
  <Page title="Settings">
    <p />
  </Page>
);
