import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { App, KeyLayout } from './shell/app.tsx';
import { FirstKey } from './shell/first-key.tsx';
import { NoSuchPage, NoSuchPlace, PageFailure } from './shell/page-failure.tsx';
import { PagePending } from './shell/page-pending.tsx';

type PageModule = Record<string, ComponentType>;

/** The pages of an API key: path, and the module that is loaded when the page is opened. */
const PAGES: readonly [path: string, load: () => Promise<PageModule>, component: string][] = [
  ['/', () => import('./pages/start/start-page.tsx'), 'StartPage'],
  ['/welcome', () => import('./pages/welcome/welcome-page.tsx'), 'WelcomePage'],
  ['/reviews', () => import('./pages/reviews/reviews-page.tsx'), 'ReviewsPage'],
  ['/reviews/$reviewId', () => import('./pages/run/run-page.tsx'), 'RunPage'],
  ['/findings', () => import('./pages/findings/findings-page.tsx'), 'FindingsPage'],
  ['/agents', () => import('./pages/agents/agents-page.tsx'), 'AgentsPage'],
  ['/agents/new', () => import('./pages/agents/new-agent-page.tsx'), 'NewAgentPage'],
  ['/agents/$agentId', () => import('./pages/agents/agent-page.tsx'), 'AgentPage'],
  ['/schedules', () => import('./pages/schedules/schedules-page.tsx'), 'SchedulesPage'],
  ['/documents', () => import('./pages/documents/documents-page.tsx'), 'DocumentsPage'],
  ['/documents/$organizationId', () => import('./pages/documents/organization-page.tsx'), 'OrganizationPage'],
  [
    '/documents/$organizationId/$documentId',
    () => import('./pages/documents/document-page.tsx'),
    'DocumentPage',
  ],
  ['/people', () => import('./pages/people/people-page.tsx'), 'PeoplePage'],
  ['/memory', () => import('./pages/memory/memory-page.tsx'), 'MemoryPage'],
  ['/editor', () => import('./pages/editor/editor-page.tsx'), 'EditorPage'],
  ['/assistants', () => import('./pages/assistants/assistants-page.tsx'), 'AssistantsPage'],
  ['/webhooks', () => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'],
  ['/keys', () => import('./pages/keys/keys-page.tsx'), 'KeysPage'],
  ['/settings', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'],
];

/** A page that is there by then shows without a frame before it; the first one has nothing else to show. */
const FIRST_PENDING_MS = 100;
/** How long the present page stays while the script of the next one is on its way. */
const PENDING_MS = 1_000;

export function createConsoleRouter(signInFailure: unknown) {
  const root = createRootRoute({
    component: () => <App signInFailure={signInFailure} />,
    notFoundComponent: NoSuchPlace,
  });
  const first = createRoute({ getParentRoute: () => root, path: '/', component: () => <FirstKey /> });
  const connect = createRoute({
    getParentRoute: () => root,
    path: '/connect',
    component: lazyRouteComponent(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
  });
  const authorize = createRoute({
    getParentRoute: () => root,
    path: '/authorize',
    component: lazyRouteComponent(() => import('./pages/authorize/authorize-page.tsx'), 'AuthorizePage'),
  });
  // An address for guides, which cannot know the key of their readers.
  const assistants = createRoute({
    getParentRoute: () => root,
    path: '/assistants',
    component: () => <FirstKey path="/assistants" />,
  });
  const key = createRoute({ getParentRoute: () => root, path: '/k/$keyId', component: KeyLayout });
  const pages = PAGES.map(([path, load, name]) =>
    createRoute({ getParentRoute: () => key, path, component: lazyRouteComponent(load, name) }),
  );
  const rest = createRoute({ getParentRoute: () => key, path: '$', component: NoSuchPage });
  const router = createRouter({
    routeTree: root.addChildren([first, connect, authorize, assistants, key.addChildren([...pages, rest])]),
    basepath: '/console',
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NoSuchPage,
    defaultPendingComponent: PagePending,
    defaultPendingMs: FIRST_PENDING_MS,
    defaultPendingMinMs: 0,
  });
  const stop = router.subscribe('onResolved', () => {
    stop();
    router.options.defaultPendingMs = PENDING_MS;
  });
  return router;
}
