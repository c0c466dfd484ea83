import type { Action, SwitchableModule } from '#documents';
import type { Scope } from './scope.js';

/** A place in the navigation: it feeds the list, the finder and the shortcut (`g`, then the key). */
export interface Destination {
  name: string;
  path: string;
  key: string;
  /** What one must be allowed in order to see anything there. */
  needs: Action;
  module?: SwitchableModule;
  words: string;
}

const DESTINATIONS: readonly Destination[] = [
  { name: 'Start', path: 'start', key: 's', needs: 'project_view', words: 'first event snippet key checklist' },
  { name: 'Flags', path: 'flags', key: 'f', needs: 'switch_flag_view', module: 'switch', words: 'halt rollout switch' },
];

/** The places that the viewer may see here. */
export const destinations = ({ permissions, switchedOff }: Scope): Destination[] =>
  DESTINATIONS.filter(({ needs, module }) => permissions.includes(needs) && !(module && switchedOff.includes(module)));
