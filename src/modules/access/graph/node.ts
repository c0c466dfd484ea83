import { Extensions, Field, registerEnumType } from 'type-graphql';
import { ACTIONS, type Action, OPERATOR_ACTIONS } from '../actions.js';

/** The action's GraphQL name: `switch.flag.halt` is `switch_flag_halt`. */
export const ActionType = Object.fromEntries(
  [...Object.keys(ACTIONS), ...OPERATOR_ACTIONS].map((action) => [action.replaceAll('.', '_'), action]),
);
registerEnumType(ActionType, {
  name: 'Action',
  description: 'An action that depends on the role, or on being an operator of the installation.',
});

/** Who may see the objects of a type, and what they may do with them. */
export interface NodeKind<T> {
  view: Action;
  actions?: readonly Action[];
  /** The project whose roles apply, null for the organization's; defaults to `projectId`. */
  projectOf?: (object: T) => string | null;
  /** The organization of an object without a project: only its own members see it. */
  organizationOf?: (object: T) => string;
}

const kinds = new Map<unknown, NodeKind<object>>();

/** Declares who may see an entity's objects when an edge leads to them, and adds `viewerCan` to them. */
export function GraphNode<T extends object>(kind: NodeKind<T>) {
  return (target: new (...args: never[]) => T): void => {
    kinds.set(target, kind as NodeKind<object>);
    if (!kind.actions) return;
    Field(() => [ActionType], { description: 'What you may do with it.' })(target.prototype, 'viewerCan');
    Extensions({ viewerCan: kind })(target.prototype, 'viewerCan');
  };
}

export function nodeKindOf(entity: unknown): NodeKind<object> {
  const kind = kinds.get(entity);
  if (!kind) throw new Error(`${String(entity)} is not a GraphNode`);
  return kind;
}

/** The project of an object, null if it has none. */
export function projectOf(kind: NodeKind<object>, object: object): string | null {
  return kind.projectOf ? kind.projectOf(object) : (object as { projectId: string | null }).projectId;
}
