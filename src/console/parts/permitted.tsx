import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import { refusalOf, useScope } from '../data/scope.js';
import { keepsFocus } from './focus/keeps-focus.js';

interface PermittedProps extends ButtonProps {
  may: boolean;
  /** Shown instead of the role's explanation when something else prevents the action. */
  because?: string;
  onClick?: MouseEventHandler;
  type?: 'button' | 'submit';
  children: ReactNode;
}

/** A button that stays in place when the viewer may not use it: it takes focus, explains why, and does nothing. */
export function Permitted({ may, because, onClick, type = 'button', children, ...rest }: PermittedProps) {
  const { role } = useScope();
  if (may)
    return (
      <Button type={type} onClick={onClick} renderRoot={keepsFocus} {...rest}>
        {children}
      </Button>
    );
  const reason = because ?? refusalOf(role);
  return (
    <Tooltip label={reason}>
      <Button {...rest} variant="default" className="refused" aria-disabled aria-description={reason}>
        {children}
      </Button>
    </Tooltip>
  );
}
