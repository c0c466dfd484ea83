import { PublishSurveyDocument, type SurveyWholeFragment, UnarchiveSurveyDocument } from '#documents';
import { useChange } from '../data/use-document.js';

/**
 * Takes a survey out of the archive. The server makes it a draft, so one that was published before is published again;
 * publishing one that was closed, just to close it, would show it to people.
 */
export function useTakeOut(): [
  (survey: Pick<SurveyWholeFragment, 'id' | 'status'>, isQuiet?: boolean) => Promise<unknown>,
  boolean,
] {
  const [unarchive, unarchiving] = useChange(UnarchiveSurveyDocument);
  const [publish] = useChange(PublishSurveyDocument);
  const takeOut = async ({ id, status }: Pick<SurveyWholeFragment, 'id' | 'status'>, isQuiet = false) => {
    if (status !== 'published') return unarchive({ id }, isQuiet ? undefined : 'Survey unarchived, as a draft.');
    const unarchived = await unarchive({ id });
    return unarchived.error ? unarchived : publish({ id }, isQuiet ? undefined : 'Survey published again.');
  };
  return [takeOut, unarchiving];
}
