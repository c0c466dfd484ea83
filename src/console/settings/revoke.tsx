import { Fragment } from 'react';
import { type Attempt, ConfirmedLoss } from '../parts/confirmed.js';
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
  /** Such as "the token ci". */
  what: string;
  lastUsedAt: string | null | undefined;
  /** Who or what stops working. */
  refused: string;
  /** What to do instead, as this can't be undone. */
  instead?: string;
  may: boolean;
  run: () => Promise<Attempt>;
}

/** Revokes a secret, after showing who uses it and when it was last used. */
export function Revoke({ what, lastUsedAt, refused, instead, may, run }: RevokeProps) {
  return (
    <ConfirmedLoss
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
      run={run}
    />
  );
}
