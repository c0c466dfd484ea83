import { Extensions, Field, registerEnumType } from 'type-graphql';
import { ACTIONS, type Action, OPERATOR_ACTIONS } from '../actions.js';

/** What is done, as GraphQL names it: `switch.flag.halt` is `switch_flag_halt`. */
export const ActionType = Object.fromEntries(
  [...Object.keys(ACTIONS), ...OPERATOR_ACTIONS].map((action) => [action.replaceAll('.', '_'), action]),
);
registerEnumType(ActionType, {
  name: 'Action',
  description: 'What a role may permit, or that somebody runs the installation.',
});

/** Who may see the objects of a type, and what can be done with them. */
export interface NodeKind<T> {
  view: Action;
  actions?: readonly Action[];
  /** The project whose roles count, null for the organization's; by `projectId` when absent. */
  projectOf?: (object: T) => string | null;
  /** The organization that an object of no project belongs to: only its own members see it. */
  organizationOf?: (object: T) => string;
}

const kinds = new Map<unknown, NodeKind<object>>();

/** Says who may see an entity's objects when an edge leads to them, and gives them `viewerCan`. */
export function GraphNode<T extends object>(kind: NodeKind<T>) {
  return (target: new (...args: never[]) => T): void => {
    kinds.set(target, kind as NodeKind<object>);
    if (!kind.actions) return;
    Field(() => [ActionType], { description: 'What the caller may do with it.' })(target.prototype, 'viewerCan');
    Extensions({ viewerCan: kind })(target.prototype, 'viewerCan');
  };
}

export function nodeKindOf(entity: unknown): NodeKind<object> {
  const kind = kinds.get(entity);
  if (!kind) throw new Error(`${String(entity)} is no GraphNode`);
  return kind;
}

/** The project that an object belongs to, null for none. */
export function projectOf(kind: NodeKind<object>, object: object): string | null {
  return kind.projectOf ? kind.projectOf(object) : (object as { projectId: string | null }).projectId;
}
