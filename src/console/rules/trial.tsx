import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CombinedError } from 'urql';
import { messageOf } from '../data/failures.js';
import { useHasUnsaved } from '../parts/page-tabs.js';
import { WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { PersonForm, type PersonVariables } from './person-form.js';

interface TrialProps {
  isBusy: boolean;
  error: CombinedError | undefined;
  onAsk: (person: PersonVariables | null) => void;
  /** What the person gets, once known. */
  children: ReactNode;
}

/** A form to describe a person, next to what they would get and why. */
export function Trial({ isBusy, error, onAsk, children }: TrialProps) {
  const isUnsaved = useHasUnsaved();
  const [isEdited, setEdited] = useState(false);
  const ask = (person: PersonVariables | null) => {
    setEdited(false);
    onAsk(person);
  };
  return (
    <div className="two">
      <div>
        {isUnsaved && (
          <Text size="sm" mb="xs" className="warn">
            This uses the saved version, without your unsaved changes.
          </Text>
        )}
        <PersonForm busy={isBusy} onAsk={ask} onEdit={() => setEdited(true)} />
      </div>
      <div role="status" aria-label="Outcome">
        {isEdited && (children || error) && (
          <Text size="sm" mb="xs" className="warn">
            This is for the person before your last changes. Press Try again.
          </Text>
        )}
        {error && (
          <Text size="sm" c="red">
            {messageOf(error)}
          </Text>
        )}
        {children && <Stack gap="sm">{children}</Stack>}
        {!children && !error && isBusy && <WaitingRows rows={3} />}
        {!children && !error && !isBusy && (
          <Muted>Describe a person to see what they get and why. This doesn't count towards usage.</Muted>
        )}
      </div>
    </div>
  );
}
