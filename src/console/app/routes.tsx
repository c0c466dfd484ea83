import { type AsyncRouteComponent, createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { fromAddress } from '../data/scope.js';
import { ASKED_FIRST, askScope, type Place } from './asked-first.js';
import { ProjectLayout } from './project-layout.js';
import { Root } from './root.js';

type Page = AsyncRouteComponent<unknown>;

const root = createRootRoute({ component: Root });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>) => ({
    ...(typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {}),
  }),
  component: lazyRouteComponent(() => import('../sign-in/sign-in-page.js'), 'SignInPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.js'), 'HomePage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$projectId/$environment',
  component: ProjectLayout,
  loader: ({ params }) => askScope(params as Place),
  shouldReload: false,
});

/** The pages of a project by their address below it; each is a chunk of its own that is loaded when somebody goes there. */
const PAGES: Readonly<Record<string, Page>> = {
  '/': lazyRouteComponent(() => import('../overview/overview-page.js'), 'OverviewPage'),
  '/start': lazyRouteComponent(() => import('../start/start-page.js'), 'StartPage'),
  '/flags': lazyRouteComponent(() => import('../flags/flags-page.js'), 'FlagsPage'),
  '/flags/$flagKey': lazyRouteComponent(() => import('../flags/flag-page.js'), 'FlagPage'),
  '/webhooks': lazyRouteComponent(() => import('../webhooks/webhooks-page.js'), 'WebhooksPage'),
  '/webhooks/$subscriptionId': lazyRouteComponent(() => import('../webhooks/webhook-page.js'), 'WebhookPage'),
  '/config': lazyRouteComponent(() => import('../config/config-page.js'), 'ConfigPage'),
  '/config/$itemKey': lazyRouteComponent(() => import('../config/item-page.js'), 'ItemPage'),
  '/surveys': lazyRouteComponent(() => import('../surveys/surveys-page.js'), 'SurveysPage'),
  '/surveys/$surveyId': lazyRouteComponent(() => import('../surveys/survey-page.js'), 'SurveyPage'),
  '/releases': lazyRouteComponent(() => import('../releases/releases-page.js'), 'ReleasesPage'),
  '/boards': lazyRouteComponent(() => import('../boards/boards-page.js'), 'BoardsPage'),
  '/boards/$boardId': lazyRouteComponent(() => import('../boards/board-page.js'), 'BoardPage'),
  '/events': lazyRouteComponent(() => import('../events/events-page.js'), 'EventsPage'),
  '/events/people': lazyRouteComponent(() => import('../people/people-page.js'), 'PeoplePage'),
  '/events/cohorts': lazyRouteComponent(() => import('../people/cohorts-page.js'), 'CohortsPage'),
  '/people/$distinctId': lazyRouteComponent(() => import('../people/person-page.js'), 'PersonPage'),
  '/audit': lazyRouteComponent(() => import('../settings/audit-page.js'), 'AuditPage'),
  '/settings': lazyRouteComponent(() => import('../settings/settings-page.js'), 'SettingsPage'),
  '/crashes': lazyRouteComponent(() => import('../crashes/crashes-page.js'), 'CrashesPage'),
  '/crashes/symbols': lazyRouteComponent(() => import('../crashes/symbols-page.js'), 'SymbolsPage'),
  '/crashes/profiles': lazyRouteComponent(() => import('../profiles/profiles-page.js'), 'ProfilesPage'),
  '/crashes/alerts': lazyRouteComponent(() => import('../crashes/alerts-page.js'), 'AlertsPage'),
  '/crashes/$issueId': lazyRouteComponent(() => import('../crashes/issue-page.js'), 'IssuePage'),
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
    loader: ({ params }) => ASKED_FIRST[path]?.(params as Place),
    shouldReload: false,
    validateSearch: (search: Record<string, unknown>): Record<string, string> =>
      Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
  }),
);

export const routeTree = root.addChildren([signIn, home, project.addChildren(pages)]);
