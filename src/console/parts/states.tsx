import { Alert, Button, Center, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { CombinedError } from 'urql';
import { useArrival } from '../data/arrival.js';
import { fieldInWords, isDenied, isNotFound, messageOf } from '../data/failures.js';
import { ScopeContext } from '../data/scope.js';
import { capitalized, Muted } from './text.js';

const WIDTHS = [72, 54, 63, 48, 68];
const RELOADED = 'quarterdeck.reloaded';

/** Whether the content is below a page title. */
export const BelowTitle = createContext(false);

/** Shown while nothing about the page is loaded. */
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
  /** Why loading failed. */
  error?: Error | undefined;
}

/** A placeholder while rows load, in the place where they will appear. */
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

/** What a page shows in its own place: within a project's frame, which has the main element, or as the main element itself. */
function InPlaceOfPage({ children }: { children: ReactNode }) {
  const isFramed = useContext(ScopeContext) !== null;
  if (isFramed) return <Center p="xl">{children}</Center>;
  return (
    <Center component="main" id="page" tabIndex={-1} className="page" p="xl">
      {children}
    </Center>
  );
}

/** An error message with a way to continue. After a release, an old page requests scripts that no longer exist, so it reloads once. */
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
  const [message, isOfRole] =
    error instanceof CombinedError ? [messageOf(error), isDenied(error)] : [error.message, false];
  return (
    <InPlaceOfPage>
      <Alert
        color={isOfRole ? 'gray' : 'red'}
        variant="outline"
        title={<Heading className="fault">{isOfRole ? 'Not with your role' : 'Something went wrong'}</Heading>}
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
    </InPlaceOfPage>
  );
}

/** Part of the content failed to load: which part, why, and a button to retry. */
export function PartFailed({ what, error, again }: { what: string; error: CombinedError; again: () => void }) {
  return (
    <Group gap="xs" py={6} role="alert">
      <Text size="sm" className="warn">
        {what} couldn't be loaded. {messageOf(error)}
      </Text>
      <Button variant="default" size="compact-sm" onClick={again}>
        Try again
      </Button>
    </Group>
  );
}

/** @param within the name of the organization that was searched */
export function Missing({ what, within }: { what: string; within?: string | undefined }) {
  const heading = useArrival<HTMLHeadingElement>();
  const title = `${capitalized(what)} not found`;
  useEffect(() => {
    document.title = `${title} · Quarterdeck`;
  }, [title]);
  return (
    <InPlaceOfPage>
      <Stack align="center" gap="xs" maw={420}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        <Muted ta="center">
          It may have been deleted, belong to another organization, project or environment, or you may not have access.
        </Muted>
        {within && (
          <Muted ta="center">
            You're now in the organization <bdi>{within}</bdi>. To open another, use the account menu on any page.
          </Muted>
        )}
        <Button component="a" href="/" variant="default">
          Go to home page
        </Button>
      </Stack>
    </InPlaceOfPage>
  );
}

interface AbsentProps {
  what: string;
  error: CombinedError | undefined;
  /** The question is on its way. */
  isAsked: boolean;
}

/** In place of something that isn't loaded: there is none, it couldn't be loaded, or it is still on its way. */
export function Absent({ what, error, isAsked }: AbsentProps) {
  if (isNotFound(error)) return <Missing what={what} />;
  return error && !isAsked ? <Failed error={error} /> : <Waiting />;
}

/** Shown where there is nothing yet: explains the purpose and offers the first step. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" maw={460}>
        <Text fw={600}>{title}</Text>
        <Muted ta="center">{children}</Muted>
        {action}
      </Stack>
    </Center>
  );
}

/** Validation errors, each with its location unless it belongs to no field. */
export const FieldFaults = ({ faults }: { faults: readonly (readonly [path: string, message: string])[] }) =>
  faults.map(([path, message]) => (
    <Text size="sm" key={path}>
      {path && <strong>{fieldInWords(path)}:</strong>} {message}
    </Text>
  ));
