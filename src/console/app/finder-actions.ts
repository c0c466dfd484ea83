import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Action, FindQuery, SwitchableModule } from '#documents';
import { useLeave } from '../account/use-leave.js';
import { isolated } from '../data/notify.js';
import { scopePath, useScope, useSwitch } from '../data/scope.js';
import { useOpened } from '../data/use-opened.js';
import { exactTimes, showExactTimes } from '../parts/when.js';
import { useNewProject } from './new-project.js';
import { useProjects } from './use-projects.js';

export interface Found {
  id: string;
  label: string;
  /** Other words that match it. */
  words?: string;
  run: () => void;
}

/** Lists with a create form, by path. */
const CREATED: readonly { name: string; path: string; needs: Action; module: SwitchableModule }[] = [
  { name: 'flag', path: 'flags', needs: 'switch_flag_change', module: 'switch' },
  { name: 'config item', path: 'config', needs: 'config_item_change', module: 'config' },
  { name: 'survey', path: 'surveys', needs: 'pulse_survey_change', module: 'pulse' },
];

/** Everything the viewer may do from anywhere; if there are many projects, only those whose names match the search. */
export function useActions(typed: string): Found[] {
  const scope = useScope();
  const { projectId, environment, permissions, switchedOff } = scope;
  const navigate = useNavigate();
  const switchTo = useSwitch();
  const leave = useLeave();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isExact = exactTimes.use();
  const { projects } = useProjects(typed);
  const creation = useNewProject();
  const [, openPassword] = useOpened('changePassword', true);
  const [, openOrganizations] = useOpened('organizations', true);
  const other = environment === 'live' ? 'test' : 'live';
  const opposite = colorScheme === 'dark' ? 'light' : 'dark';
  return [
    ...CREATED.filter(({ needs, module }) => permissions.includes(needs) && !switchedOff.includes(module)).map(
      ({ name, path }) => ({
        id: `new ${path}`,
        label: `Create ${name} in ${environment}`,
        words: 'new add make',
        // The router types a search by its path, and here the path is one of several.
        run: () => void navigate({ to: scopePath(scope, path), search: { new: 'yes' } as never }),
      }),
    ),
    ...(creation.may
      ? [{ id: 'new project', label: 'Create project', words: 'new add make', run: creation.open }]
      : []),
    { id: 'environment', label: `Switch to ${other}`, words: 'environment', run: () => switchTo(projectId, other) },
    ...projects
      .filter(({ id }) => id !== projectId)
      .map(({ id, name }) => ({
        id: `project ${id}`,
        label: `Switch to project ${isolated(name)}`,
        words: `project ${name}`,
        run: () => switchTo(id, environment),
      })),
    {
      id: 'scheme',
      label: `Use ${opposite} theme`,
      words: 'mode theme appearance colours colors dark light',
      run: () => setColorScheme(opposite),
    },
    {
      id: 'times',
      label: isExact ? 'Show relative times' : 'Show exact times',
      words: 'utc timestamps relative dates',
      run: () => showExactTimes(!isExact),
    },
    { id: 'password', label: 'Change password', words: 'account security', run: openPassword },
    {
      id: 'organizations',
      label: 'Switch or create an organization',
      words: 'switch new create account organizations',
      run: openOrganizations,
    },
    { id: 'leave', label: 'Sign out', words: 'leave log out', run: () => void leave() },
  ];
}

type FoundFlag = NonNullable<FindQuery['project']>['flags']['nodes'][number];

/** Opens the halt dialog for each flag the viewer may halt. */
export function useHalts(): (flags: readonly FoundFlag[]) => Found[] {
  const scope = useScope();
  const navigate = useNavigate();
  return (flags) =>
    flags
      .filter((flag) => !flag.haltedAt && !flag.isArchived && flag.viewerCan.includes('switch_flag_halt'))
      .map(({ id, key }) => ({
        id: `halt ${id}`,
        label: `Halt ${key}`,
        // As above: the path is built at run time.
        run: () => void navigate({ to: scopePath(scope, 'flags', key), search: { halt: 'yes' } as never }),
      }));
}
