import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_BYTES = 18;

/** Signs short texts for one purpose: a signature isn't valid for any other. */
export class SignedTexts {
  private readonly keys: readonly Buffer[];

  /** `secrets`: the one used for signing first, then those still accepted. */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) => createHmac('sha256', secret).update(purpose).digest());
  }

  /** The text followed by a period and its 144-bit signature. */
  signed(text: string): string {
    return `${text}.${signature(this.keys[0] as Buffer, text).toString('base64url')}`;
  }

  /** The signed text, or null. */
  verified(signed: string): string | null {
    const end = signed.lastIndexOf('.');
    if (end < 0) return null;
    const text = signed.slice(0, end);
    const given = Buffer.from(signed.slice(end + 1), 'base64url');
    if (given.length !== SIGNATURE_BYTES || given.toString('base64url') !== signed.slice(end + 1)) return null;
    return this.keys.some((key) => timingSafeEqual(signature(key, text), given)) ? text : null;
  }
}

const signature = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
