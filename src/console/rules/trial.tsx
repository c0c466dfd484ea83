import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { messageOf } from '../data/failures.js';
import { useHasUnsaved } from '../parts/page-tabs.js';
import { Muted } from '../parts/text.js';
import { PersonForm, type PersonVariables } from './person-form.js';

interface TrialProps {
  cohorts: string[];
  isBusy: boolean;
  error: CombinedError | undefined;
  onAsk: (person: PersonVariables) => void;
  /** What the person gets, once known. */
  children: ReactNode;
}

/** A form to describe a person, next to what they would get and why. */
export function Trial({ cohorts, isBusy, error, onAsk, children }: TrialProps) {
  const isUnsaved = useHasUnsaved();
  return (
    <div className="two">
      <div>
        {isUnsaved && (
          <Text size="sm" mb="xs" className="warn">
            This uses the saved version, without your unsaved changes.
          </Text>
        )}
        <PersonForm cohorts={cohorts} busy={isBusy} onAsk={onAsk} />
      </div>
      <div role="status" aria-label="Outcome">
        {error && (
          <Text size="sm" c="red">
            {messageOf(error)}
          </Text>
        )}
        {children && <Stack gap="sm">{children}</Stack>}
        {!children && !error && (
          <Muted>Describe a person to see what they get and why. This doesn't count towards usage.</Muted>
        )}
      </div>
    </div>
  );
}
