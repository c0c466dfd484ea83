import { defineFailures } from '../../kernel/errors.js';

export const changelogFailure = defineFailures({
  entry_not_found: () => 'No changelog entry with this id is visible to you. List the entries of the project.',
});
