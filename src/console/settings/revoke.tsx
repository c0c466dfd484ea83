import { Fragment } from 'react';
import { Confirmed } from '../parts/confirmed.js';
import { When } from '../parts/when.js';

export function LastUse({ at }: { at: string | null | undefined }) {
  if (!at) return 'never used';
  return (
    <>
      used <When at={at} />
    </>
  );
}

interface RevokeProps {
  /** As "the token ci". */
  what: string;
  lastUsedAt: string | null | undefined;
  /** Who is refused from then on. */
  refused: string;
  /** What to do instead of a way back. */
  instead?: string;
  may: boolean;
  run: () => Promise<unknown>;
}

/** Takes a secret's power away, after it is said who uses it and when that was last. */
export function Revoke({ what, lastUsedAt, refused, instead, may, run }: RevokeProps) {
  return (
    <Confirmed
      action="Revoke"
      what={what}
      goesAlong={[
        refused,
        <Fragment key="used">
          Last used: <When at={lastUsedAt} />
        </Fragment>,
        ...(instead ? [instead] : []),
      ]}
      may={may}
      variant="subtle"
      color="red"
      size="compact-xs"
      run={run}
    />
  );
}
