import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { environmentVariables, UsageError } from './settings.js';

/** Release and commit of a build, and where each came from, as shown to the user. */
export interface BuildFacts {
  release: string | null;
  releaseFrom: string | null;
  commit: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

interface BuildService {
  /** Set in every build of this service. */
  marker: string;
  commit: string;
  tag(variables: Variables): string | undefined;
}

/** CI services and their variables, from each one's reference page. */
const SERVICES: readonly BuildService[] = [
  {
    marker: 'GITHUB_ACTIONS',
    commit: 'GITHUB_SHA',
    tag: ({ GITHUB_REF_TYPE: type, GITHUB_REF_NAME: name }) => (type === 'tag' ? name : undefined),
  },
  { marker: 'GITLAB_CI', commit: 'CI_COMMIT_SHA', tag: ({ CI_COMMIT_TAG: tag }) => tag },
  { marker: 'CIRCLECI', commit: 'CIRCLE_SHA1', tag: ({ CIRCLE_TAG: tag }) => tag },
  { marker: 'BITBUCKET_BUILD_NUMBER', commit: 'BITBUCKET_COMMIT', tag: ({ BITBUCKET_TAG: tag }) => tag },
  {
    marker: 'TF_BUILD',
    commit: 'BUILD_SOURCEVERSION',
    tag: ({ BUILD_SOURCEBRANCH: branch = '' }) => /^refs\/tags\/(.+)$/.exec(branch)?.[1],
  },
  { marker: 'BUILDKITE', commit: 'BUILDKITE_COMMIT', tag: ({ BUILDKITE_TAG: tag }) => tag },
  { marker: 'JENKINS_URL', commit: 'GIT_COMMIT', tag: ({ TAG_NAME: tag }) => tag },
];

const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * The release is the given one, or `QUARTERDECK_RELEASE`, the config file's, or the tag being built; without a release,
 * symbols match by id. The commit is the given one, the CI service's, or git's. An empty value means none. Throws
 * UsageError.
 */
export async function buildFacts(
  given: { release?: string | undefined; commit?: string | undefined },
  config: { release?: string },
): Promise<BuildFacts> {
  const variables = environmentVariables;
  const service = SERVICES.find(({ marker }) => variables[marker]);
  const known = service && variables[service.commit];
  if (given.commit && !COMMIT.test(given.commit))
    throw new UsageError(
      `--commit must be a commit hash of 7 to 64 hexadecimal digits, as printed by git rev-parse HEAD; got ${given.commit}.`,
    );
  const built = async () => (known && COMMIT.test(known) ? known : git('rev-parse', 'HEAD'));
  const commit = given.commit === undefined ? await built() : given.commit || null;
  if (given.release !== undefined) return { release: given.release || null, releaseFrom: null, commit };
  const sources: [string, () => string | null | undefined | Promise<string | null>][] = [
    ['QUARTERDECK_RELEASE', () => variables.QUARTERDECK_RELEASE],
    ['the config file', () => config.release],
    ['the tag being built', () => service?.tag(variables)],
    ['the tag of this commit', () => (service ? null : git('describe', '--tags', '--exact-match', 'HEAD'))],
  ];
  for (const [releaseFrom, read] of sources) {
    const release = await read();
    if (release) return { release, releaseFrom, commit };
  }
  return { release: null, releaseFrom: null, commit };
}

async function git(...args: string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)('git', args, { timeout: 5_000 })).stdout.trim() || null;
  } catch {
    return null;
  }
}
