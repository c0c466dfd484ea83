import { Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** Moves focus to the page without changing the history or the address. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('page')?.focus();
}

/** Wraps every page and adds a skip link for keyboard users. */
export function Root() {
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it moves focus within the page and adds no history entry */}
      <a className="skip" href="#page" onClick={skip}>
        Skip to content
      </a>
      <Outlet />
    </>
  );
}
