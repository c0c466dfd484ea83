import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts signing secrets so that a copy of the database alone can't sign: AES-256-GCM under a key that HKDF derives from the server's
 * secret. The owner's id is authenticated with the text, so a sealed secret moved to another subscription's row can't be opened.
 */
export class SecretSeal {
  private readonly keys: readonly [Buffer, ...Buffer[]];

  /** @param previousSecrets earlier secrets of the server: what was sealed under them can still be opened. */
  constructor(serverSecret: string, previousSecrets: readonly string[] = []) {
    this.keys = [sealingKey(serverSecret), ...previousSecrets.map(sealingKey)];
  }

  /** The secret sealed for one subscription: nonce, tag and cipher text in base64. */
  seal(secret: string, ownerId: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys[0], nonce).setAAD(Buffer.from(ownerId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
  }

  /**
   * Opens a sealed secret.
   * @throws Error if it was sealed under none of the server's secrets, or for another subscription.
   */
  open(sealed: string, ownerId: string): string {
    for (const key of this.keys) {
      const secret = opened(Buffer.from(sealed, 'base64'), ownerId, key);
      if (secret !== null) return secret;
    }
    throw new Error('the signing secret was sealed under another server secret');
  }
}

function sealingKey(serverSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serverSecret, '', 'quarterdeck webhook signing secrets', 32));
}

function opened(bytes: Buffer, ownerId: string, key: Buffer): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(ownerId)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
