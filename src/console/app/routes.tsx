import { type AsyncRouteComponent, createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
});

/** The pages of a project by their address below it; each is a chunk of its own that is loaded when somebody goes there. */
const PAGES: Readonly<Record<string, Page>> = {
  '/': lazyRouteComponent(() => import('../start/start-page.js'), 'StartPage'),
  '/start': lazyRouteComponent(() => import('../start/start-page.js'), 'StartPage'),
  '/flags': lazyRouteComponent(() => import('../flags/flags-page.js'), 'FlagsPage'),
  '/flags/$flagKey': lazyRouteComponent(() => import('../flags/flag-page.js'), 'FlagPage'),
};

const pages = Object.entries(PAGES).map(([path, component]) =>
  createRoute({
    getParentRoute: () => project,
    path,
    component,
    validateSearch: (search: Record<string, unknown>): Record<string, string> =>
      Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
  }),
);

export const routeTree = root.addChildren([signIn, home, project.addChildren(pages)]);
