import { byInput, liveOfProject, ofProject } from './matrix-arguments.js';
import type { MatrixObjects } from './matrix-objects.js';
import type { GraphqlRow } from './matrix-row.js';
import { MEMBER_ROWS } from './member-rows.js';
import { SYMBOL_ROWS } from './symbol-rows.js';

const aroundNow = ({ projectId }: MatrixObjects) => ({
  ...{ projectId, environment: 'live' },
  from: new Date(Date.now() - 86_400_000),
  to: new Date(Date.now() + 86_400_000),
});

/** Every root field of the GraphQL schema. A field without a row fails the tests. */
export const GRAPHQL_MATRIX: Readonly<Record<string, GraphqlRow>> = {
  me: { least: 'viewer', concernsOwnOrganization: true },
  viewer: { least: 'viewer', concernsOwnOrganization: true },
  organizations: { least: 'viewer', concernsOwnOrganization: true },
  organization: { least: 'viewer', args: async ({ organizationId }) => ({ id: organizationId }) },
  members: { least: 'viewer', concernsOwnOrganization: true },
  user: { least: 'viewer', args: async (make) => ({ id: await make.member() }), ofOrganization: true },
  membership: { least: 'viewer', args: async (make) => ({ id: await make.membership() }), ofOrganization: true },
  projects: { least: 'viewer', concernsOwnOrganization: true },
  project: { least: 'viewer', args: async ({ projectId }) => ({ id: projectId }) },
  apiKeys: { least: 'admin', args: ofProject },
  deployTokens: { least: 'admin', args: ofProject },
  apiTokens: { least: 'viewer', concernsOwnOrganization: true },
  apiKey: { least: 'admin', args: async (make) => ({ id: await make.apiKey() }) },
  deployToken: { least: 'admin', args: async (make) => ({ id: await make.deployToken() }) },
  apiToken: { least: 'admin', args: async (make) => ({ id: await make.apiToken() }), hidesObject: true },
  auditEntry: { least: 'editor', args: async (make) => ({ id: await make.auditEntry() }) },
  auditLog: { least: 'editor', args: ofProject },
  signIn: { least: 'anyone', args: byInput((make) => make.credentials()), concernsOwnOrganization: true },
  signInWithCookie: { least: 'anyone', args: byInput((make) => make.credentials()), concernsOwnOrganization: true },
  signOut: { least: 'viewer', concernsOwnOrganization: true, needsSession: true },
  changePassword: {
    least: 'viewer',
    args: byInput((make) => make.passwordChange()),
    concernsOwnOrganization: true,
    needsSession: true,
  },
  createOrganization: {
    least: 'owner',
    args: byInput(async (make) => ({ name: make.name() })),
    concernsOwnOrganization: true,
    ofOrganization: true,
  },
  updateOrganization: {
    least: 'owner',
    args: byInput(async (make) => ({ id: make.organizationId, name: make.name() })),
    ofOrganization: true,
  },
  createProject: {
    least: 'admin',
    args: byInput(async (make) => ({ name: make.name() })),
    concernsOwnOrganization: true,
    ofOrganization: true,
  },
  updateProject: { least: 'admin', args: byInput(async (make) => ({ id: make.projectId, name: make.name() })) },
  createApiKey: {
    least: 'admin',
    args: byInput(async ({ projectId }) => ({ projectId, environment: 'test' })),
  },
  revokeApiKey: { least: 'admin', args: byInput(async (make) => ({ id: await make.apiKey() })) },
  revokeApiKeys: {
    least: 'admin',
    args: byInput(async (make) => ({ ids: [await make.apiKey()] })),
    foreignIsGone: true,
  },
  createDeployToken: {
    least: 'admin',
    args: byInput(async (make) => ({ projectId: make.projectId, name: make.name() })),
  },
  revokeDeployToken: { least: 'admin', args: byInput(async (make) => ({ id: await make.deployToken() })) },
  createApiToken: {
    least: 'viewer',
    args: byInput(async (make) => ({ projectId: make.projectId, name: make.name(), role: 'viewer' })),
  },
  revokeApiToken: {
    least: 'admin',
    args: byInput(async (make) => ({ id: await make.apiToken() })),
    hidesObject: true,
    ofOrganization: true,
    leastToken: 'viewer',
  },
  ...MEMBER_ROWS,

  usage: { least: 'viewer', args: ofProject },
  setProjectPlan: {
    ofOrganization: true,
    least: 'operator',
    args: byInput(async ({ projectId }) => ({ projectId, plan: 'enterprise' })),
  },

  storedDocument: {
    ofOrganization: true,
    least: 'operator',
    args: async (make) => ({ id: await make.storedDocument() }),
  },
  storedDocuments: { ofOrganization: true, least: 'operator', args: async () => ({ app: 'dashboard' }) },
  storeDocuments: {
    ofOrganization: true,
    least: 'operator',
    args: byInput(async () => ({ app: 'dashboard', version: '1', documents: ['{ me { id } }'] })),
  },
  deleteDocuments: {
    ofOrganization: true,
    least: 'operator',
    args: byInput(async () => ({ app: 'dashboard', version: '1' })),
  },

  configItems: { least: 'viewer', args: ofProject },
  configItem: { least: 'viewer', args: async (make) => ({ id: (await make.configItem()).id }) },
  configVersion: { least: 'viewer', args: async (make) => ({ id: (await make.configItem()).versionId }) },
  explainConfig: {
    least: 'viewer',
    args: async (make) => ({ itemId: (await make.configItem()).id, distinctId: 'user-1' }),
  },
  previewRollback: {
    least: 'viewer',
    args: async (make) => {
      const { id, versionId } = await make.configItem();
      return { itemId: id, versionId };
    },
  },
  createConfigItem: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, key: make.slug(), type: 'int', value: '1' })),
  },
  updateConfigItem: {
    least: 'editor',
    args: byInput(async (make) => ({ id: (await make.configItem()).id, value: '7' })),
  },
  rollbackConfigItem: {
    least: 'editor',
    args: byInput(async (make) => {
      const { id, versionId } = await make.configItem();
      return { itemId: id, versionId };
    }),
  },
  configItemByKey: {
    least: 'viewer',
    args: async (make) => ({ projectId: make.projectId, key: (await make.configItem()).key }),
  },
  archiveConfigItems: {
    least: 'editor',
    args: byInput(async (make) => ({ ids: [(await make.configItem()).id] })),
    foreignIsGone: true,
  },
  archiveConfigItem: { least: 'editor', args: byInput(async (make) => ({ id: (await make.configItem()).id })) },
  unarchiveConfigItem: { least: 'editor', args: byInput(async (make) => ({ id: (await make.configItem()).id })) },

  flags: { least: 'viewer', args: ofProject },
  flag: { least: 'viewer', args: async (make) => ({ id: (await make.flag()).id }) },
  flagVersion: { least: 'viewer', args: async (make) => ({ id: await make.flagVersion() }) },
  flagByKey: { least: 'viewer', args: async (make) => ({ projectId: make.projectId, key: (await make.flag()).key }) },
  flagsUsage: { least: 'viewer', args: liveOfProject },
  previewHalt: { least: 'viewer', args: async (make) => ({ flagId: (await make.flag()).id }) },
  explainFlag: { least: 'viewer', args: async (make) => ({ flagId: (await make.flag()).id, distinctId: 'user-1' }) },
  createFlag: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, environment: 'live', key: make.slug() })),
  },
  updateFlag: {
    least: 'editor',
    args: byInput(async (make) => ({ flagId: (await make.flag()).id, description: 'new' })),
  },
  haltFlag: { least: 'editor', args: byInput(async (make) => ({ flagId: (await make.flag()).id, reason: 'errors' })) },
  resumeFlag: { least: 'editor', args: byInput(async (make) => ({ flagId: (await make.flag()).id })) },
  archiveFlag: { least: 'editor', args: byInput(async (make) => ({ flagId: (await make.flag()).id })) },
  archiveFlags: {
    least: 'editor',
    args: byInput(async (make) => ({ ids: [(await make.flag()).id] })),
    foreignIsGone: true,
  },
  unarchiveFlag: { least: 'editor', args: byInput(async (make) => ({ flagId: (await make.flag()).id })) },

  events: { least: 'viewer', args: liveOfProject },
  event: { least: 'viewer', args: async (make) => ({ id: await make.event() }) },
  eventCounts: { least: 'viewer', args: async (make) => ({ ...aroundNow(make), interval: 'hour' }) },
  eventBreakdown: {
    least: 'viewer',
    args: async (make) => ({ ...aroundNow(make), eventName: 'opened', property: 'plan' }),
  },
  people: { least: 'viewer', args: liveOfProject },
  person: { least: 'viewer', args: (make) => make.person() },
  personById: { least: 'viewer', args: async (make) => ({ id: await make.personId() }) },
  cohort: { least: 'viewer', args: async (make) => ({ id: await make.cohort() }) },
  audienceSize: { least: 'editor', args: async ({ projectId }) => ({ projectId, rules: [{}] }) },
  cohorts: { least: 'viewer', args: ofProject },
  ingestionWarning: { least: 'viewer', args: async (make) => ({ id: await make.ingestionWarning() }) },
  ingestionWarnings: { least: 'viewer', args: liveOfProject },
  createCohort: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, name: make.slug(), distinctIds: ['user-1'] })),
  },
  updateCohort: { least: 'editor', args: byInput(async (make) => ({ id: await make.cohort(), description: 'new' })) },
  deleteCohort: { least: 'editor', args: byInput(async (make) => ({ id: await make.cohort() })) },
  splitPerson: { least: 'editor', args: byInput((make) => make.joinedPerson()) },
  deletePerson: { least: 'admin', args: byInput((make) => make.person()) },

  surveys: { least: 'viewer', args: ofProject },
  survey: { least: 'viewer', args: async (make) => ({ id: (await make.survey()).id }) },
  surveyBySlug: {
    least: 'viewer',
    args: async (make) => ({ projectId: make.projectId, slug: (await make.survey()).slug }),
  },
  surveyResponse: { least: 'viewer', args: async (make) => ({ id: await make.response() }) },
  surveyDistributions: { least: 'viewer', args: async (make) => ({ surveyId: (await make.survey()).id }) },
  surveyDistribution: { least: 'viewer', args: async (make) => ({ id: await make.distribution() }) },
  surveyResponses: { least: 'viewer', args: async (make) => ({ surveyId: (await make.survey()).id }) },
  surveyResults: { least: 'viewer', args: async (make) => ({ surveyId: (await make.survey()).id }) },
  createSurvey: { least: 'editor', args: byInput(async (make) => ({ projectId: make.projectId, name: make.name() })) },
  updateSurvey: {
    least: 'editor',
    args: byInput(async (make) => ({ id: (await make.survey()).id, name: make.name() })),
  },
  publishSurvey: { least: 'editor', args: byInput(async (make) => ({ id: (await make.survey('draft')).id })) },
  closeSurvey: { least: 'editor', args: byInput(async (make) => ({ id: (await make.survey()).id })) },
  archiveSurvey: { least: 'editor', args: byInput(async (make) => ({ id: (await make.survey()).id })) },
  archiveSurveys: {
    least: 'editor',
    args: byInput(async (make) => ({ ids: [(await make.survey()).id] })),
    foreignIsGone: true,
  },
  unarchiveSurvey: { least: 'editor', args: byInput(async (make) => ({ id: (await make.survey('archived')).id })) },
  createDistribution: {
    least: 'editor',
    args: byInput(async (make) => ({ surveyId: (await make.survey()).id, name: make.name() })),
  },
  updateDistribution: {
    least: 'editor',
    args: byInput(async (make) => ({ id: await make.distribution(), name: make.name() })),
  },
  deleteDistribution: { least: 'editor', args: byInput(async (make) => ({ id: await make.distribution() })) },
  deleteRespondent: {
    least: 'editor',
    args: byInput(async ({ projectId }) => ({ projectId, externalId: 'respondent-1' })),
  },

  ...SYMBOL_ROWS,
  crashIssues: { least: 'viewer', args: liveOfProject },
  crashIssue: { least: 'viewer', args: async (make) => ({ id: await make.crashIssue() }) },
  crashEvent: { least: 'viewer', args: (make) => make.crashEvent() },
  crashEvents: { least: 'viewer', args: liveOfProject },
  reprocessCrashEvents: { least: 'editor', args: byInput(ofProject) },
  resolveCrashIssue: { least: 'editor', args: byInput(async (make) => ({ id: await make.crashIssue() })) },
  reopenCrashIssue: { least: 'editor', args: byInput(async (make) => ({ id: await make.crashIssue() })) },
  ignoreCrashIssue: { least: 'editor', args: byInput(async (make) => ({ id: await make.crashIssue(), events: 5 })) },
  assignCrashIssue: { least: 'editor', args: byInput(async (make) => ({ id: await make.crashIssue() })) },
  mergeCrashIssues: {
    least: 'editor',
    args: byInput(async (make) => ({ intoId: await make.crashIssue(), ids: [await make.crashIssue()] })),
  },
  unmergeCrashIssue: { least: 'editor', args: byInput(async (make) => ({ id: await make.mergedIssue() })) },
  resolveCrashIssues: {
    least: 'editor',
    args: byInput(async (make) => ({ ids: [await make.crashIssue()] })),
    foreignIsGone: true,
  },
  alertRule: { least: 'viewer', args: async (make) => ({ id: await make.alertRule() }) },
  updateAlertRule: { least: 'editor', args: byInput(async (make) => ({ id: await make.alertRule(), threshold: 2 })) },
  alertRules: { least: 'viewer', args: ofProject },
  createAlertRule: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, name: make.name(), condition: 'issue_created' })),
  },
  testAlertRule: { least: 'editor', args: byInput(async (make) => ({ id: await make.alertRule() })) },
  deleteAlertRule: { least: 'editor', args: byInput(async (make) => ({ id: await make.alertRule() })) },

  symbolSources: { least: 'admin', args: ofProject },
  symbolSource: { least: 'admin', args: async (make) => ({ id: await make.symbolSource() }) },
  createSymbolSource: { least: 'admin', args: byInput(async (make) => make.newSymbolSource()) },
  updateSymbolSource: {
    least: 'admin',
    args: byInput(async (make) => ({ id: await make.symbolSource(), name: 'renamed' })),
  },
  testSymbolSource: { least: 'admin', args: byInput(async (make) => ({ id: await make.symbolSource() })) },
  deleteSymbolSource: { least: 'admin', args: byInput(async (make) => ({ id: await make.symbolSource() })) },

  crashProfile: { least: 'viewer', args: async (make) => ({ id: await make.crashProfile() }) },
  crashProfiles: { least: 'viewer', args: liveOfProject },
  crashProfileDownloadUrl: { least: 'editor', args: async (make) => ({ id: await make.crashProfile() }) },

  crashSettings: { least: 'viewer', args: ofProject },
  updateCrashSettings: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, sampleRate: 0.5 })),
  },

  releases: { least: 'viewer', args: liveOfProject },
  releaseByVersion: {
    least: 'viewer',
    args: async (make) => ({ projectId: make.projectId, version: (await make.versionedRelease()).version }),
  },
  updateRelease: { least: 'editor', args: byInput(async (make) => ({ id: await make.release(), notes: 'new' })) },
  release: { least: 'viewer', args: async (make) => ({ id: await make.release() }) },
  createRelease: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, version: make.slug() })),
  },
  promoteRelease: { least: 'editor', args: byInput(async (make) => ({ id: await make.release() })) },
  deleteRelease: { least: 'editor', args: byInput(async (make) => ({ id: await make.release() })) },

  changelogEntries: { least: 'viewer', args: ofProject },
  changelogEntry: { least: 'viewer', args: async (make) => ({ id: await make.changelogEntry() }) },
  updateChangelogEntry: {
    least: 'editor',
    args: byInput(async (make) => ({ id: await make.changelogEntry(), title: make.name() })),
  },
  deleteChangelogEntry: { least: 'editor', args: byInput(async (make) => ({ id: await make.changelogEntry() })) },
  createChangelogEntry: {
    least: 'editor',
    args: byInput(async (make) => ({ projectId: make.projectId, title: make.name() })),
  },
  publishChangelogEntry: { least: 'editor', args: byInput(async (make) => ({ id: await make.changelogEntry() })) },

  boards: { least: 'viewer', args: ofProject },
  board: { least: 'viewer', args: async (make) => ({ id: await make.board() }) },
  triageRules: { least: 'viewer', args: ofProject },
  triageRule: { least: 'viewer', args: async (make) => ({ id: await make.ownTriageRule() }) },
  tickets: { least: 'viewer', args: ofProject },
  ticket: { least: 'viewer', args: async (make) => ({ id: await make.ticket() }) },
  updateBoard: { least: 'editor', args: byInput(async (make) => ({ id: await make.board(), name: make.name() })) },
  deleteBoard: { least: 'editor', args: byInput(async (make) => ({ id: await make.board() })) },
  updateTriageRule: { least: 'editor', args: byInput(async (make) => ({ id: await make.ownTriageRule(), score: 3 })) },
  deleteTriageRule: { least: 'editor', args: byInput(async (make) => ({ id: await make.ownTriageRule() })) },
  updateTicket: { least: 'editor', args: byInput(async (make) => ({ id: await make.ticket(), title: make.name() })) },
  deleteTicket: { least: 'editor', args: byInput(async (make) => ({ id: await make.ticket() })) },
  transitionTickets: {
    least: 'editor',
    args: byInput(async (make) => ({ ids: [await make.ticket()], status: 'in_progress' })),
    foreignIsGone: true,
  },
  createBoard: { least: 'editor', args: byInput(async (make) => ({ projectId: make.projectId, name: make.name() })) },
  createTriageRule: {
    least: 'editor',
    args: byInput(async (make) => ({
      boardId: await make.board(),
      surveyId: (await make.survey()).id,
      comparison: 'lt',
      score: 7,
    })),
  },
  createTicket: {
    least: 'editor',
    args: byInput(async (make) => ({ boardId: await make.board(), title: make.name() })),
  },
  transitionTicket: {
    least: 'editor',
    args: byInput(async (make) => ({ id: await make.ticket(), status: 'in_progress' })),
  },

  eventKinds: { least: 'viewer', concernsOwnOrganization: true, sameForAll: true },
  webhookSubscriptions: { least: 'admin', args: ofProject },
  webhookSubscription: { least: 'admin', args: async (make) => ({ id: await make.subscription() }) },
  webhookDeliveries: { least: 'admin', args: ofProject },
  webhookDelivery: { least: 'admin', args: async (make) => ({ id: await make.deadLetter() }) },
  deadLetters: { least: 'admin', args: ofProject },
  deadLetter: { least: 'admin', args: async (make) => ({ id: await make.deadLetter() }) },
  createWebhookSubscription: {
    least: 'admin',
    args: byInput(async (make) => ({ projectId: make.projectId, url: make.webhookUrl(), patterns: ['plan.*'] })),
  },
  updateWebhookSubscription: {
    least: 'admin',
    args: byInput(async (make) => ({ id: await make.subscription(), description: 'new' })),
  },
  rotateWebhookSecret: { least: 'admin', args: byInput(async (make) => ({ id: await make.subscription() })) },
  deleteWebhookSubscription: { least: 'admin', args: byInput(async (make) => ({ id: await make.subscription() })) },
  testWebhookSubscription: { least: 'admin', args: byInput(async (make) => ({ id: await make.subscription() })) },
  replayDeadLetter: { least: 'admin', args: byInput(async (make) => ({ id: await make.deadLetter() })) },
  replayDeliveries: {
    least: 'admin',
    args: byInput(async (make) => ({ ids: [await make.deadLetter()] })),
    foreignIsGone: true,
  },
  // Not those of changelog entries, which belong to other rows.
  replayDeadLetters: {
    least: 'admin',
    args: byInput(async ({ projectId }) => ({ projectId, kind: 'plan.ticket.created' })),
  },
};
