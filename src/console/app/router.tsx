import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { leavePage } from '../data/arrival.js';
import { atTheEnd } from '../data/session.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { routeTree } from './routes.js';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  scrollRestoration: true,
  // A table stays mounted when only the page's search parameters change.
  scrollToTopSelectors: ['[data-scroll-restoration-id]'],
  // Search parameters stay text: parsing a 64-bit number would lose digits.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  defaultPendingComponent: () => <Waiting />,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error as Error} again={reset} />,
  defaultNotFoundComponent: () => <Missing what="page" />,
});

router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) leavePage();
});

atTheEnd.ofSession = () => {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  void router.navigate({ to: '/sign-in', search: { next: href }, replace: true });
};

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
