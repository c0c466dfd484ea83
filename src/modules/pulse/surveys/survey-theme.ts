import { newUuid } from '../../../kernel/ids.js';
import { pulseFailure } from '../pulse.errors.js';
import type { SurveyTheme } from './survey-parts.js';

const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const MAX_FONT = 200;
const MAX_URL = 2000;

export type ThemeDraft = { readonly [Field in Exclude<keyof SurveyTheme, 'id'>]?: SurveyTheme[Field] };

const bad = (field: string, problem: string) => pulseFailure('bad_survey', { path: `theme.${field}`, problem });

function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL && URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** The theme sent by an editor; it keeps the id of the previous one. Fails with `bad_survey`. */
export function themeFrom(draft: ThemeDraft, before: SurveyTheme | null): SurveyTheme {
  for (const field of ['primaryColor', 'backgroundColor', 'foregroundColor'] as const) {
    const colour = draft[field];
    if (typeof colour === 'string' && !COLOUR.test(colour)) throw bad(field, 'a hex color such as #4f46e5 is required');
  }
  if ((draft.fontFamily?.length ?? 0) > MAX_FONT) throw bad('fontFamily', `at most ${MAX_FONT} characters`);
  if (typeof draft.logoUrl === 'string' && !isWebAddress(draft.logoUrl))
    throw bad('logoUrl', 'an http or https URL is required');
  return {
    id: before?.id ?? newUuid(),
    primaryColor: draft.primaryColor ?? null,
    backgroundColor: draft.backgroundColor ?? null,
    foregroundColor: draft.foregroundColor ?? null,
    fontFamily: draft.fontFamily ?? null,
    darkMode: draft.darkMode ?? null,
    logoUrl: draft.logoUrl ?? null,
  };
}
