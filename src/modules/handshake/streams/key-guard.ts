import type { Logger } from '../../../kernel/logger.js';
import type { OpenStream } from '../../../kernel/streams/open-stream.js';
import { SingleTimer } from '../../../kernel/turns/single-timer.js';
import type { KeyScope } from '../../access/keys/key-scopes.js';
import { type KeyStanding, refusedPlace } from '../../access/keys/key-standing.js';
import type { KeysById } from '../../access/keys/keys-by-id.js';

/** A stream ends at most this long after its key does, whether or not this process was notified. */
const RECHECK_MS = 2_500;

/** An open stream of a key, and where it was opened from. */
interface Guarded {
  readonly stream: OpenStream;
  readonly scope: KeyScope;
  readonly origin: string | undefined;
  readonly address: string;
}

/** Ends streams whose key was revoked, or may no longer be used for them or from their origin. */
export class KeyGuard {
  private readonly byKey = new Map<string, Set<Guarded>>();
  private readonly timer = new SingleTimer(() => void this.recheck());
  private rechecking = false;

  constructor(
    private readonly keys: KeysById,
    private readonly logger: Logger,
  ) {}

  /** Watches a stream; the returned function stops it. */
  guard(keyId: string, guarded: Guarded): () => void {
    const streams = this.byKey.get(keyId) ?? new Set();
    this.byKey.set(keyId, streams.add(guarded));
    this.timer.every(RECHECK_MS);
    return () => {
      streams.delete(guarded);
      if (streams.size > 0 || this.byKey.get(keyId) !== streams) return;
      this.byKey.delete(keyId);
      if (this.byKey.size === 0) this.close();
    };
  }

  /** Checks all keys at once: one of them, or its project, may have changed. */
  async recheck(): Promise<void> {
    if (this.rechecking || this.byKey.size === 0) return;
    this.rechecking = true;
    try {
      // Not those of streams that open meanwhile.
      const keyIds = [...this.byKey.keys()];
      const standings = await this.keys.findAll(keyIds);
      for (const keyId of keyIds) {
        const standing = standings.get(keyId);
        for (const guarded of this.byKey.get(keyId) ?? [])
          if (!mayContinue(standing, guarded)) guarded.stream.end('refused');
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the keys of open streams could not be checked; will retry');
    } finally {
      this.rechecking = false;
    }
  }

  close(): void {
    this.timer.stop();
  }
}

const mayContinue = (key: KeyStanding | undefined, { scope, origin, address }: Guarded): boolean =>
  key?.actor.scopes.has(scope) === true && refusedPlace(key, origin, address) === null;
