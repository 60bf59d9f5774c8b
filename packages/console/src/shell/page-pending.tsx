import { Loading, Page } from '../ui/page.tsx';
import { DESTINATIONS } from './navigation.ts';

const PAGE_OF_KEY = /\/k\/[^/]+(\/.*?)?\/?$/;

/** Stands for a page until its script is there: with its title, if the navigation knows it. */
export function PagePending() {
  const path = PAGE_OF_KEY.exec(location.pathname)?.[1] ?? '';
  const page = DESTINATIONS.flatMap(({ destinations }) => destinations).find((one) => one.path === path);
  return page ? (
    <Page title={page.label}>
      <Loading rows={8} />
    </Page>
  ) : (
    <Loading rows={8} />
  );
}
