import type { ReactNode } from 'react';
import { NewByName } from '../parts/fields/new-by-name.js';
import { WhoMay } from '../parts/who-may.js';

interface NewSecretProps {
  label: string;
  /** What the button says. */
  action: string;
  may: boolean;
  isBusy: boolean;
  /** Makes it; returns the secret, unless the server refused. */
  make: (name: string) => Promise<string | undefined>;
  onSecret: (secret: string) => void;
  children?: ReactNode;
}

/** The form below a list of secrets: each has a name, and is shown once. */
export function NewSecret({ may, make, onSecret, ...form }: NewSecretProps) {
  const makeAndShow = async (name: string) => {
    const secret = await make(name);
    if (secret) onSecret(secret);
    return secret !== undefined;
  };
  return (
    <WhoMay may={may} weakest="admin" to="make one">
      <NewByName {...form} make={makeAndShow} />
    </WhoMay>
  );
}
