export const LIST_PATH = '/api/pulse/surveys';
export const VERSIONED_LIST_PATH = '/api/v1/pulse/surveys';
export const BUNDLE_PATH = `${LIST_PATH}/:survey_id`;
