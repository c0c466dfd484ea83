import { AppShell, Burger, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { type Action, type Environment, ScopeDocument } from '#documents';
import { ViewerMenu } from '../account/viewer-menu.js';
import { isNotFound } from '../data/failures.js';
import { refreshShown } from '../data/freshness.js';
import { useIsCutOff } from '../data/line.js';
import { useLiveProject } from '../data/live.js';
import { type Scope, ScopeContext, useParam } from '../data/scope.js';
import { stayIn } from '../data/session.js';
import { useDocument } from '../data/use-document.js';
import { useFoundFocus } from '../parts/focus/use-found-focus.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { SignInAgain } from '../sign-in/sign-in-again.js';
import { Finder, FinderButton } from './finder.js';
import { keepScope } from './last-scope.js';
import { Navigation } from './navigation.js';
import { Switcher } from './switcher.js';

/** Actions on the organization, or as its operator, are permitted there; everything else in the project. */
const isOfOrganization = (action: Action): boolean =>
  /^(?:member|organization|project_create|quota_change)/.test(action);

/** The frame around a project's pages: where you are and where you can go. */
export function ProjectLayout() {
  const projectId = useParam('projectId');
  const environment = useParam('environment');
  const { data, error } = useDocument(ScopeDocument, { projectId }, { requestPolicy: 'cache-first' });
  const viewer = data?.viewer;
  const project = data?.project;
  const isKnown = environment === 'live' || environment === 'test';
  const scope = useMemo<Scope | null>(
    () =>
      viewer && project
        ? {
            projectId,
            projectName: project.name,
            environment: environment as Environment,
            organization: viewer.organization,
            email: viewer.user.email,
            role: project.viewerRole,
            organizationRole: viewer.role,
            permissions: [...viewer.inProject, ...viewer.inOrganization.filter(isOfOrganization)],
            switchedOff: project.switchedOffModules,
          }
        : null,
    [viewer, project, projectId, environment],
  );
  useEffect(() => {
    if (scope && isKnown) keepScope(scope);
    if (scope) stayIn(scope.organization.id);
  }, [scope, isKnown]);
  if (!isKnown || (!scope && isNotFound(error))) return <Missing what="project" within={viewer?.organization.name} />;
  if (!scope && error) return <Failed error={error} />;
  if (!scope) return <Waiting />;
  return (
    <ScopeContext value={scope}>
      <Frame scope={scope} />
    </ScopeContext>
  );
}

function Frame({ scope }: { scope: Scope }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useLiveProject(scope.projectId);
  useFoundFocus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes on navigation
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
      data-environment={scope.environment}
    >
      <AppShell.Header className="top">
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
          <Burger
            opened={isOpen}
            aria-expanded={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
          />
          <Switcher />
          <FinderButton />
          <ViewerMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Pages" p="xs" className="side" data-closed={isOpen ? undefined : true}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className="page">
        <CutOff />
        <Outlet />
      </AppShell.Main>
      <Finder />
      <SignInAgain email={scope.email} organization={scope.organization} />
    </AppShell>
  );
}

/** Shown when the server doesn't answer and the page may be out of date. */
function CutOff() {
  const isCutOff = useIsCutOff();
  if (!isCutOff) return null;
  return (
    <div className="cut-off" role="status">
      Can't reach the server. You're seeing the last data it sent. Anything you typed is kept.
      <Button variant="default" size="compact-xs" onClick={refreshShown}>
        Try again
      </Button>
    </div>
  );
}
