import type { ReactNode } from 'react';
import { useScope } from '../data/scope.js';
import { Muted } from './text.js';

const FROM = { editor: 'Editors, admins and owners', admin: 'Admins and owners', owner: 'Owners' } as const;

interface WhoMayProps {
  may: boolean;
  /** The lowest role that has the permission. */
  weakest: keyof typeof FROM;
  /** The permission, such as "create boards". */
  to: string;
  /** The organization's role decides, whatever the role in the project. */
  isOfOrganization?: boolean;
  /** Shown to those with the permission. */
  children?: ReactNode;
}

/** Content for those with permission; others see which roles have it. */
export function WhoMay({ may, weakest, to, isOfOrganization = false, children }: WhoMayProps) {
  const { role, organizationRole } = useScope();
  if (may) return children;
  return (
    <Muted my="xs">
      {FROM[weakest]} can {to}. Your role{' '}
      {isOfOrganization ? `in the organization is ${organizationRole}` : `here is ${role}`}.
    </Muted>
  );
}
