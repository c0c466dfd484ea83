import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { createContext, useCallback, useContext } from 'react';
import type { Action, Environment, Role, SwitchableModule } from '#documents';

/** The current project and environment, and what the viewer may do there. */
export interface Scope {
  projectId: string;
  projectName: string;
  environment: Environment;
  /** The organization of the project and of the session. */
  organization: { id: string; name: string };
  /** Whose session it is. */
  email: string;
  /** Their role in the project, which it may grant instead of the one in the organization. */
  role: Role;
  organizationRole: Role;
  permissions: readonly Action[];
  switchedOff: readonly SwitchableModule[];
}

export const ScopeContext = createContext<Scope | null>(null);

/** The project and environment of the page. Fails outside one. */
export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error('this page is outside a project');
  return scope;
}

/** Whether the viewer may do this in the project. */
export const useMay = (action: Action): boolean => useScope().permissions.includes(action);

/** An object that an address names by id; `environment` if it exists in only one. */
interface Placed {
  projectId: string;
  environment?: Environment;
}

/** Whether an object belongs to the project and environment in the address: ids resolve in every project the viewer can see. */
export function useIsHere(object: Placed | null | undefined): boolean {
  const { projectId, environment } = useScope();
  return object?.projectId === projectId && (object.environment ?? environment) === environment;
}

/** The explanation on a button that the viewer may not use. */
export const refusalOf = (role: Role): string => `Your role here (${role}) doesn't allow this. Ask a project admin.`;

/** The same for what concerns the organization, whatever the role in a project. */
export const organizationRefusalOf = (role: Role): string =>
  `Your role in the organization (${role}) doesn't allow this. Ask an owner.`;

/** Browsers treat these as relative path steps, in every encoding: a leading tilde marks them as literal. */
const MEANT = /^~*\.{1,2}$/;

const toAddress = (part: string): string => encodeURIComponent(MEANT.test(part) ? `~${part}` : part);

/** Decodes a part of an address written by {@link scopePath}. */
export const fromAddress = (part: string): string => (part.startsWith('~') && MEANT.test(part) ? part.slice(1) : part);

/** The address of a page of a project and environment: `scopePath(scope, 'flags', 'new checkout')`. */
export function scopePath(
  { projectId, environment }: Pick<Scope, 'projectId' | 'environment'>,
  ...rest: string[]
): string {
  return ['/p', projectId, environment, ...rest.map(toAddress)].join('/');
}

/** Goes to a page of the same project and environment; `replace` leaves no history entry to go back to. */
export function useGoTo({ replace = false } = {}): (...rest: string[]) => void {
  const navigate = useNavigate();
  const scope = useScope();
  return useCallback(
    (...rest) => void navigate({ to: scopePath(scope, ...rest), replace }),
    [navigate, scope, replace],
  );
}

/** Switches to another project or environment, staying on the same list. */
export function useSwitch(): (projectId: string, environment: Environment) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const section = pathname.split('/')[4];
  return useCallback(
    (projectId, environment) =>
      void navigate({ to: scopePath({ projectId, environment }, ...(section ? [section] : [])) }),
    [navigate, section],
  );
}

/** A path parameter of the page's address. */
export function useParam(name: string): string {
  return (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';
}
