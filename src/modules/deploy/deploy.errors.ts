import { defineFailures } from '../../kernel/errors.js';

export const deployFailure = defineFailures(
  {
    release_not_found: () => 'No release with this id is visible to you; list the releases of the project.',
    version_taken: ({ version }: { version: string }) =>
      `The environment has a release "${version}" already; choose another version.`,
    bad_version: () => 'A version has 1 to 200 characters and no white space around it.',
  },
  { version_taken: 'version', bad_version: 'version' },
);
