import { Alert, Button, Center, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { CombinedError } from 'urql';
import { useArrival } from '../data/arrival.js';
import { messageOf, placeOf } from '../data/failures.js';
import { ScopeContext } from '../data/scope.js';

const WIDTHS = [72, 54, 63, 48, 68];
const RELOADED = 'quarterdeck.reloaded';

/** Whether what is shown stands below the title of a page. */
export const BelowTitle = createContext(false);

/** While nothing is known about the page yet. */
export function Waiting() {
  return (
    <Center p="xl" mih={240} role="status" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}

interface WaitingRowsProps {
  rows?: number;
  isTable?: boolean;
  /** Why they will not come. */
  error?: Error | undefined;
}

/** While rows are awaited; those of a table stand where it will stand. */
export function WaitingRows({ rows = 8, isTable = false, error }: WaitingRowsProps) {
  if (error) return <Failed error={error} />;
  return (
    <div className={isTable ? 'rows rows-wait' : 'rows-wait'} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => at).map((at) => (
        <div key={at}>
          <Skeleton height={12} w={`${WIDTHS[at % WIDTHS.length]}%`} />
        </div>
      ))}
    </div>
  );
}

/** What went wrong in words, with a way to go on. After a release, a page of the one before asks for scripts that are gone: it loads anew, once. */
export function Failed({ error, again }: { error: Error; again?: () => void }) {
  const Heading = useContext(BelowTitle) ? 'h2' : 'h1';
  if (
    /dynamically imported module|Importing a module script/i.test(error.message) &&
    !sessionStorage.getItem(RELOADED)
  ) {
    sessionStorage.setItem(RELOADED, 'yes');
    window.location.reload();
    return <Waiting />;
  }
  const message = error instanceof CombinedError ? messageOf(error) : error.message;
  return (
    <Center p="xl">
      <Alert
        color="red"
        variant="outline"
        title={<Heading className="fault">This cannot be shown</Heading>}
        maw={560}
        role="alert"
      >
        <Text size="sm">{message}</Text>
        <Group mt="sm">
          <Button variant="default" onClick={again ?? (() => window.location.reload())}>
            Try again
          </Button>
        </Group>
      </Alert>
    </Center>
  );
}

/** A part of what is shown could not be read: what it is about, why, and a way to ask for it again. */
export function PartFailed({ what, error, again }: { what: string; error: CombinedError; again: () => void }) {
  return (
    <Group gap="xs" py={6} role="alert">
      <Text size="sm" className="warn">
        {what} cannot be shown. {messageOf(error)}
      </Text>
      <Button variant="default" size="compact-sm" onClick={again}>
        Try again
      </Button>
    </Group>
  );
}

/** Within a project's frame, which has the main part of the page, or instead of it. */
export function Missing({ what }: { what: string }) {
  const heading = useArrival<HTMLHeadingElement>();
  const isFramed = useContext(ScopeContext) !== null;
  return (
    <Center p="xl" component={isFramed ? 'div' : 'main'}>
      <Stack align="center" gap="xs" maw={420}>
        <Title order={1} ref={heading} tabIndex={-1}>
          No such {what}
        </Title>
        <Text size="sm" c="dimmed" ta="center">
          It was deleted, it lies in another organization, project or environment, or you may not see it.
        </Text>
        <Button component="a" href="/" variant="default">
          To the beginning
        </Button>
      </Stack>
    </Center>
  );
}

/** A place that has nothing yet says what it is for, and offers the first step. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" maw={460}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" ta="center">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}

/** What is wrong with what was sent, each with its place; those of no field in particular without. */
export const FieldFaults = ({ faults }: { faults: readonly (readonly [path: string, message: string])[] }) =>
  faults.map(([path, message]) => (
    <Text size="sm" key={path}>
      {path && <strong>{placeOf(path)}:</strong>} {message}
    </Text>
  ));
