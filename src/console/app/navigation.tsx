import { Kbd, NavLink, Stack } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Fragment } from 'react';
import { scopePath, useScope } from '../data/scope.js';
import { PlaceIcon } from '../parts/icons.js';
import { Muted } from '../parts/text.js';
import { destinations } from './destinations.js';

/** The pages the viewer can see, grouped by task. */
export function Navigation() {
  const scope = useScope();
  const { pathname } = useLocation();
  const here = pathname.split('/')[4] ?? '';
  return (
    <Stack gap={1} h="100%">
      {destinations(scope).map(({ name, path, key, group }, at, all) => (
        <Fragment key={path}>
          {group && group !== all[at - 1]?.group && <div className="side-group">{group}</div>}
          <NavLink
            component={Link}
            to={scopePath(scope, ...(path ? [path] : []))}
            activeOptions={{ exact: path === '' }}
            className="place"
            label={name}
            active={here === path}
            aria-current={here === path ? 'page' : undefined}
            leftSection={<PlaceIcon path={path} />}
            rightSection={key ? <Kbd size="xs" className="key" visibleFrom="sm">{`g ${key}`}</Kbd> : null}
          />
        </Fragment>
      ))}
      <Muted size="xs" mt="auto" px="sm" py={6}>
        <a href="/docs">API</a> · <a href="/playground">GraphQL</a>
      </Muted>
    </Stack>
  );
}
