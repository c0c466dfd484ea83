import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Action, FindQuery, SwitchableModule } from '#documents';
import { useLeave } from '../account/use-leave.js';
import { scopePath, useScope, useSwitch } from '../data/scope.js';
import { isolated } from '../data/tell.js';
import { useOpened } from '../data/use-opened.js';
import { exactTimes, showExactTimes } from '../parts/exact-times.js';
import { useNewProject } from './new-project.js';
import { useProjects } from './use-projects.js';

export interface Found {
  id: string;
  label: string;
  /** Other words that find it. */
  words?: string;
  run: () => void;
}

/** Forms that a list opens for a new one, by the list's path. */
const CREATED: readonly { name: string; path: string; needs: Action; module: SwitchableModule }[] = [
  { name: 'flag', path: 'flags', needs: 'switch_flag_change', module: 'switch' },
  { name: 'config item', path: 'config', needs: 'config_item_change', module: 'config' },
  { name: 'survey', path: 'surveys', needs: 'pulse_survey_change', module: 'pulse' },
];

/** What one can do from anywhere, as far as one may; of many projects, those that have what is typed in their names. */
export function useActions(typed: string): Found[] {
  const scope = useScope();
  const { projectId, environment, permissions, switchedOff } = scope;
  const navigate = useNavigate();
  const switchTo = useSwitch();
  const leave = useLeave();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isExact = exactTimes.use();
  const projects = useProjects(typed);
  const creation = useNewProject();
  const [, openPassword] = useOpened('changePassword', true);
  const [, openOrganizations] = useOpened('organizations', true);
  const other = environment === 'live' ? 'test' : 'live';
  const opposite = colorScheme === 'dark' ? 'light' : 'dark';
  return [
    ...CREATED.filter(({ needs, module }) => permissions.includes(needs) && !switchedOff.includes(module)).map(
      ({ name, path }) => ({
        id: `new ${path}`,
        label: `Create a ${name} in ${environment}`,
        words: 'new add make',
        // The router knows a page's search by its path, which is one of several here.
        run: () => void navigate({ to: scopePath(scope, path), search: { new: 'yes' } as never }),
      }),
    ),
    ...(creation.may
      ? [{ id: 'new project', label: 'Create a project', words: 'new add make', run: creation.open }]
      : []),
    { id: 'environment', label: `Switch to ${other}`, words: 'environment', run: () => switchTo(projectId, other) },
    ...projects
      .filter(({ id }) => id !== projectId)
      .map(({ id, name }) => ({
        id: `project ${id}`,
        label: `Switch to the project ${isolated(name)}`,
        words: `project ${name}`,
        run: () => switchTo(id, environment),
      })),
    {
      id: 'scheme',
      label: `Use ${opposite} colours`,
      words: 'mode theme appearance dark light',
      run: () => setColorScheme(opposite),
    },
    {
      id: 'times',
      label: isExact ? 'Show how long ago things were' : 'Show exact times',
      words: 'utc timestamps relative dates',
      run: () => showExactTimes(!isExact),
    },
    { id: 'password', label: 'Change your password', words: 'account security', run: openPassword },
    {
      id: 'organizations',
      label: 'Go to another organization, or make one',
      words: 'switch new create account organizations',
      run: openOrganizations,
    },
    { id: 'leave', label: 'Sign out', words: 'leave log out', run: () => void leave() },
  ];
}

type FoundFlag = NonNullable<FindQuery['project']>['flags']['nodes'][number];

/** The dialog of the halt, for each of these flags that one may halt. */
export function useHalts(): (flags: readonly FoundFlag[]) => Found[] {
  const scope = useScope();
  const navigate = useNavigate();
  return (flags) =>
    flags
      .filter((flag) => !flag.haltedAt && !flag.isArchived && flag.viewerCan.includes('switch_flag_halt'))
      .map(({ id, key }) => ({
        id: `halt ${id}`,
        label: `Halt ${key}`,
        // As above: the path is put together.
        run: () => void navigate({ to: scopePath(scope, 'flags', key), search: { halt: 'yes' } as never }),
      }));
}
