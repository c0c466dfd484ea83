import { defineFailures } from '../../kernel/errors.js';

export const deployFailure = defineFailures(
  {
    release_not_found: () => 'No release with this id is visible to you. List the releases of the project.',
    version_taken: ({ version }: { version: string }) =>
      `The environment already has a release "${version}". Choose another version.`,
    bad_version: () => 'A version must have 1 to 200 characters, with no spaces around it.',
  },
  { version_taken: 'version', bad_version: 'version' },
);
