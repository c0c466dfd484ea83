import { Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** Goes to the page without a step in the history, and leaves the address as it is. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('page')?.focus();
}

/** Around every page: a link for keyboards that leads past the navigation. */
export function Root() {
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads on within the page, and is no step of the history */}
      <a className="skip" href="#page" onClick={skip}>
        Skip to the page
      </a>
      <Outlet />
    </>
  );
}
