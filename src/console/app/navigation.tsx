import { Kbd, NavLink, Stack, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { destinations } from './destinations.js';
import { scopePath, useScope } from './scope.js';

/** The list of places; those that the viewer may not see are not in it. */
export function Navigation() {
  const scope = useScope();
  const { pathname } = useLocation();
  const here = pathname.split('/')[4] ?? '';
  return (
    <Stack component="nav" aria-label="Pages" gap={2} h="100%">
      {destinations(scope).map(({ name, path, key }) => (
        <NavLink
          key={path}
          component={Link}
          to={scopePath(scope, ...(path ? [path] : []))}
          activeOptions={{ exact: path === '' }}
          label={name}
          active={here === path}
          aria-current={here === path ? 'page' : undefined}
          variant="light"
          py={5}
          px="sm"
          rightSection={key ? <Kbd size="xs" className="key" visibleFrom="sm">{`g ${key}`}</Kbd> : null}
        />
      ))}
      <Text size="xs" c="dimmed" mt="auto" px="sm">
        <a href="/docs">API</a> · <a href="/playground">GraphQL</a>
      </Text>
    </Stack>
  );
}
