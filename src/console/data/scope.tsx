import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { createContext, useCallback, useContext } from 'react';
import type { Action, Environment, Role, SwitchableModule } from '#documents';

/** Where the viewer is, and what they may do there. */
export interface Scope {
  projectId: string;
  projectName: string;
  environment: Environment;
  /** The one that the project belongs to, and the session is of. */
  organization: { id: string; name: string };
  /** Whose session it is. */
  email: string;
  role: Role;
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

/** What an address may name by its id alone; `environment` where it lies in one of the two. */
interface Placed {
  projectId: string;
  environment?: Environment;
}

/** Whether an object lies where the address says that one is: an id is known in every project that the viewer may see. */
export function useIsHere(object: Placed | null | undefined): boolean {
  const { projectId, environment } = useScope();
  return object?.projectId === projectId && (object.environment ?? environment) === environment;
}

/** What a button says to whoever may not use it. */
export const refusalOf = (role: Role): string =>
  `Your role here is ${role}, which may not do this. Ask an admin of the project.`;

/** Browsers take these for steps within an address, in every spelling: a tilde before them says that they are meant. */
const MEANT = /^~*\.{1,2}$/;

const toAddress = (part: string): string => encodeURIComponent(MEANT.test(part) ? `~${part}` : part);

/** What {@link scopePath} made a part of an address of. */
export const fromAddress = (part: string): string => (part.startsWith('~') && MEANT.test(part) ? part.slice(1) : part);

/** The address of a page of a project and environment: `scopePath(scope, 'flags', 'new checkout')`. */
export function scopePath(
  { projectId, environment }: Pick<Scope, 'projectId' | 'environment'>,
  ...rest: string[]
): string {
  return ['/p', projectId, environment, ...rest.map(toAddress)].join('/');
}

/** Goes to a page of the same project and environment; with `replace`, no step back leads to where one was. */
export function useGoTo({ replace = false } = {}): (...rest: string[]) => void {
  const navigate = useNavigate();
  const scope = useScope();
  return useCallback(
    (...rest) => void navigate({ to: scopePath(scope, ...rest), replace }),
    [navigate, scope, replace],
  );
}

/** Goes to another project or environment, to the list that one looks at. */
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

/** A part of the page's address by its name. */
export function useParam(name: string): string {
  return (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';
}
