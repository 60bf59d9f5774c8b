import { Page } from '../../ui/page.tsx';

export const ReviewsPage = () => (
  <Page title="Reviews">
    <p />
  </Page>
);
