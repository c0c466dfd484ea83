import { FlagHistoryDocument, type FlagWholeFragment, UpdateFlagDocument } from '#documents';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { VersionTimeline } from '../editor/version-timeline.js';
import { draftOfVersion, flagDraftOf, flagInputOf, flagText } from './flag-draft.js';

/** Every version of a flag, newest first. Compare any two, or restore one. */
export function FlagHistory({ flag }: { flag: FlagWholeFragment }) {
  const pages = usePages(FlagHistoryDocument, { flagId: flag.id }, (data) => data.flag?.versions);
  const [update] = useChange(UpdateFlagDocument);
  const textOfVersion = (behaviour: unknown) => flagText(draftOfVersion(behaviour, ''));
  return (
    <VersionTimeline
      pages={pages}
      currentText={flagText({ ...flagDraftOf(flag), description: '' })}
      currentVersion={flag.currentVersion}
      textOf={({ behaviour }) => textOfVersion(behaviour)}
      mayRestore={flag.viewerCan.includes('switch_flag_change') && !flag.isArchived}
      restore={async ({ behaviour, versionNumber }, note) => {
        const { description: _, ...input } = flagInputOf(draftOfVersion(behaviour, ''));
        const { error } = await update(
          { input: { flagId: flag.id, expectedVersion: flag.currentVersion, note, ...input } },
          `Version ${versionNumber} restored.`,
        );
        return !error;
      }}
    />
  );
}
