import { Page } from '../../ui/page.tsx';

export const SchedulesPage = () => (
  <Page title="Schedules">
    <p />
  </Page>
);
