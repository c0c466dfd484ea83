import { FieldResolver, Resolver, Root } from 'type-graphql';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import type { CrashFrame } from '../../../symbols/symbolication/crash-frame.js';
import { readStoredFrames } from '../../../symbols/symbolication/frame-text.js';
import { CrashEvent, CrashEventStatusType } from './crash-event.entity.js';
import { reasonOf, shownStatus, storedFrames } from './event-status.js';

@Resolver(() => CrashEvent)
export class CrashEventFields {
  @FieldResolver()
  status(@Root() event: CrashEvent): string {
    return shownStatus(event.status, event, event.payload.rawStacktrace);
  }

  @FieldResolver(() => CrashEventStatusType, { description: 'How far it was symbolicated.' })
  symbolication(@Root() event: CrashEvent): string {
    return this.status(event);
  }

  @FieldResolver(() => String, { nullable: true, description: 'Why it has no frames at all.' })
  statusReason(@Root() event: CrashEvent): string | null {
    return reasonOf(this.status(event), event);
  }

  @FieldResolver()
  frames(@Root() event: CrashEvent): CrashFrame[] {
    return readStoredFrames(storedFrames(event), event.payload.frames);
  }

  @FieldResolver(() => String, { nullable: true })
  @RedactedBelowEditor()
  rawStacktrace(@Root() { payload }: CrashEvent): string | null {
    return payload.rawStacktrace;
  }

  @FieldResolver()
  tags(@Root() { payload }: CrashEvent): unknown {
    return payload.tags;
  }

  @FieldResolver()
  extra(@Root() { payload }: CrashEvent): unknown {
    return payload.extra;
  }

  @FieldResolver()
  breadcrumbs(@Root() { payload }: CrashEvent): unknown {
    return payload.breadcrumbs;
  }
}
