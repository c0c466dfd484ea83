import type { Action, SwitchableModule } from '#documents';
import type { Scope } from '../data/scope.js';

/** A place in the navigation. It feeds the list, the finder and the shortcut (`g`, then the key). */
export interface Destination {
  name: string;
  path: string;
  key: string;
  /** The permission needed to see anything there. */
  needs: Action;
  module?: SwitchableModule;
  words: string;
  /** The heading it appears under. */
  group?: 'Control' | 'Watch' | 'Ship' | 'Project';
}

const DESTINATIONS: readonly Destination[] = [
  { name: 'Overview', path: '', key: 'o', needs: 'project_view', words: 'home dashboard halts quota' },
  { name: 'Start', path: 'start', key: 's', needs: 'project_view', words: 'first event snippet key checklist' },
  {
    name: 'Flags',
    group: 'Control',
    path: 'flags',
    key: 'f',
    needs: 'switch_flag_view',
    module: 'switch',
    words: 'halt rollout switch',
  },
  {
    name: 'Config',
    group: 'Control',
    path: 'config',
    key: 'c',
    needs: 'config_item_view',
    module: 'config',
    words: 'items values json schema rollback',
  },
  {
    name: 'Surveys',
    group: 'Control',
    path: 'surveys',
    key: 'u',
    needs: 'pulse_survey_view',
    module: 'pulse',
    words: 'nps responses questions',
  },
  {
    name: 'Crashes',
    group: 'Watch',
    path: 'crashes',
    key: 'x',
    needs: 'catch_crash_view',
    module: 'catch',
    words: 'issues errors symbols alerts',
  },
  {
    name: 'Events',
    group: 'Watch',
    path: 'events',
    key: 'e',
    needs: 'event_view',
    words: 'analytics people cohorts counts',
  },
  {
    name: 'Releases',
    group: 'Ship',
    path: 'releases',
    key: 'r',
    needs: 'release_view',
    module: 'deploy',
    words: 'changelog deploy version',
  },
  { name: 'Boards', group: 'Ship', path: 'boards', key: 'b', needs: 'plan_board_view', words: 'tickets kanban' },
  {
    name: 'Webhooks',
    group: 'Project',
    path: 'webhooks',
    key: 'w',
    needs: 'webhook_view',
    words: 'deliveries dead letters replay',
  },
  { name: 'Audit', group: 'Project', path: 'audit', key: 'a', needs: 'audit_view', words: 'history who changed what' },
  {
    name: 'Settings',
    group: 'Project',
    path: 'settings',
    key: ',',
    needs: 'project_view',
    words: 'keys members tokens usage origins',
  },
];

/** The places that the viewer can see here. */
export const destinations = ({ permissions, switchedOff }: Scope): Destination[] =>
  DESTINATIONS.filter(({ needs, module }) => permissions.includes(needs) && !(module && switchedOff.includes(module)));
