import { Outlet } from '@tanstack/react-router';

/** Around every page: a link for keyboards that leads past the navigation. */
export function Root() {
  return (
    <>
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <Outlet />
    </>
  );
}
