import { type AsyncRouteComponent, createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { openLive } from '../data/live.js';
import { fromAddress } from '../data/scope.js';
import { arriving } from './arriving.js';
import { PREFETCHES, prefetchScope, type RouteParams } from './prefetches.js';
import { ProjectLayout } from './project-layout.js';
import { Root } from './root.js';

type Page = AsyncRouteComponent<unknown>;

const lazyPage = <Name extends string>(load: () => Promise<Record<Name, Page>>, name: Name): Page =>
  lazyRouteComponent(() => arriving(load), name);

const root = createRootRoute({ component: Root });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>) => ({
    ...(typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {}),
  }),
  component: lazyPage(() => import('../sign-in/sign-in-page.js'), 'SignInPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyPage(() => import('./home-page.js'), 'HomePage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$projectId/$environment',
  component: ProjectLayout,
  loader: ({ params, preload }) => {
    if (!preload) openLive(params.projectId);
    prefetchScope(params as RouteParams);
  },
  shouldReload: false,
});

/** A project's pages by path. Each is a separate chunk, loaded on first visit. */
const PAGES: Readonly<Record<string, Page>> = {
  '/': lazyPage(() => import('../overview/overview-page.js'), 'OverviewPage'),
  '/start': lazyPage(() => import('../start/start-page.js'), 'StartPage'),
  '/flags': lazyPage(() => import('../flags/flags-page.js'), 'FlagsPage'),
  '/flags/$flagKey': lazyPage(() => import('../flags/flag-page.js'), 'FlagPage'),
  '/webhooks': lazyPage(() => import('../webhooks/webhooks-page.js'), 'WebhooksPage'),
  '/webhooks/$subscriptionId': lazyPage(() => import('../webhooks/webhook-page.js'), 'WebhookPage'),
  '/config': lazyPage(() => import('../config/config-page.js'), 'ConfigPage'),
  '/config/$itemKey': lazyPage(() => import('../config/item-page.js'), 'ItemPage'),
  '/surveys': lazyPage(() => import('../surveys/surveys-page.js'), 'SurveysPage'),
  '/surveys/$surveyId': lazyPage(() => import('../surveys/survey-page.js'), 'SurveyPage'),
  '/releases': lazyPage(() => import('../releases/releases-page.js'), 'ReleasesPage'),
  '/boards': lazyPage(() => import('../boards/boards-page.js'), 'BoardsPage'),
  '/boards/$boardId': lazyPage(() => import('../boards/board-page.js'), 'BoardPage'),
  '/events': lazyPage(() => import('../events/events-page.js'), 'EventsPage'),
  '/events/people': lazyPage(() => import('../people/people-page.js'), 'PeoplePage'),
  '/events/cohorts': lazyPage(() => import('../people/cohorts-page.js'), 'CohortsPage'),
  '/people/$distinctId': lazyPage(() => import('../people/person-page.js'), 'PersonPage'),
  '/audit': lazyPage(() => import('../settings/audit-page.js'), 'AuditPage'),
  '/settings': lazyPage(() => import('../settings/settings-page.js'), 'SettingsPage'),
  '/crashes': lazyPage(() => import('../crashes/crashes-page.js'), 'CrashesPage'),
  '/crashes/symbols': lazyPage(() => import('../crashes/symbols-page.js'), 'SymbolsPage'),
  '/crashes/profiles': lazyPage(() => import('../profiles/profiles-page.js'), 'ProfilesPage'),
  '/crashes/alerts': lazyPage(() => import('../crashes/alerts-page.js'), 'AlertsPage'),
  '/crashes/$issueId': lazyPage(() => import('../crashes/issue-page.js'), 'IssuePage'),
};

const pages = Object.entries(PAGES).map(([path, component]) =>
  createRoute({
    getParentRoute: () => project,
    path,
    component,
    params: {
      parse: (params: Record<string, string>) =>
        Object.fromEntries(Object.entries(params).map(([name, part]) => [name, fromAddress(part)])),
    },
    loader: ({ params }) => PREFETCHES[path]?.(params as RouteParams),
    shouldReload: false,
    // Don't carry state from one object's page over to the next.
    remountDeps: ({ params }) => params,
    validateSearch: (search: Record<string, unknown>): Record<string, string> =>
      Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
  }),
);

export const routeTree = root.addChildren([signIn, home, project.addChildren(pages)]);
