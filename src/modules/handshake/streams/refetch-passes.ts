import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Counters } from '../../../storage/shared/counters.js';
import type { ProjectEnvironment } from '../decision-sources.js';
import { SignedTexts } from './signed-texts.js';

/** Lifetime of a pass: the clients of a notice don't all come at once. */
const LIFE_MS = 60_000;
/** The first use, plus retries and requests to other routes after the same notice. */
const MOST_USES = 10;

export interface UsedPass {
  readonly place: string;
  /** How often it was used, including this time. */
  readonly uses: number;
}

/**
 * Passes that notices give to their listeners: a request with one isn't counted against its key's limit, which the listeners of one notice
 * would exceed together, and counts once against the quota however often it is repeated.
 */
export class RefetchPasses {
  private readonly texts: SignedTexts;

  constructor(
    secrets: readonly string[],
    private readonly counters: Counters,
    private readonly clock: Clock,
  ) {
    this.texts = new SignedTexts(secrets, 'refetch passes');
  }

  /** A listener's own pass. */
  issue(place: ProjectEnvironment): string {
    const expiry = Math.ceil((this.clock.now().getTime() + LIFE_MS) / 1_000).toString(36);
    return this.texts.signed(`${placeText(place)}.${expiry}.${randomBytes(9).toString('base64url')}`);
  }

  /** Counts a use; null if the pass is invalid, has expired or was used too often. */
  async use(pass: string): Promise<UsedPass | null> {
    const text = this.texts.verified(pass);
    const [place = '', expiry = ''] = text?.split('.') ?? [];
    if (text === null || Number.parseInt(expiry, 36) * 1_000 < this.clock.now().getTime()) return null;
    const uses = await this.counters.increment(`refetch:${text}`);
    return uses > MOST_USES ? null : { place, uses };
  }

  /** Whether a pass was given to listeners of this place. */
  isOf({ place }: UsedPass, here: ProjectEnvironment): boolean {
    return place === placeText(here);
  }
}

const placeText = ({ projectId, environment }: ProjectEnvironment): string =>
  hash('sha256', `${projectId} ${environment}`, 'base64url').slice(0, 12);
