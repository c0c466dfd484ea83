import type { ReactNode } from 'react';
import { NewByName } from '../parts/fields/new-by-name.js';
import { WhoMay } from '../parts/who-may.js';

interface NewSecretProps {
  label: string;
  /** The label of the button. */
  action: string;
  may: boolean;
  isBusy: boolean;
  /** Creates it; returns the secret, unless the server refused. */
  make: (name: string) => Promise<string | undefined>;
  onSecret: (secret: string) => void;
  children?: ReactNode;
}

/** A create form below a list of secrets, each with a name and shown once. */
export function NewSecret({ may, make, onSecret, ...form }: NewSecretProps) {
  const makeAndShow = async (name: string) => {
    const secret = await make(name);
    if (secret) onSecret(secret);
    return secret !== undefined;
  };
  return (
    <WhoMay may={may} weakest="admin" to="create one">
      <NewByName {...form} make={makeAndShow} />
    </WhoMay>
  );
}
