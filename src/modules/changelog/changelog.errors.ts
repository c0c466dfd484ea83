import { defineFailures } from '../../kernel/errors.js';

export const changelogFailure = defineFailures({
  entry_not_found: () => 'No changelog entry with this id is visible to you; list the entries of the project.',
});
