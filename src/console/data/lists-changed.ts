const FLAGS = ['flags', 'versions', 'auditLog'];
const ITEMS = ['configItems', 'versions', 'auditLog'];
const ISSUES = ['crashIssues', 'crashIssue', 'auditLog'];
const SURVEYS = ['surveys', 'versions', 'surveyResults', 'auditLog'];
const WEBHOOKS = ['webhookSubscriptions', 'webhookDeliveries', 'deliveries', 'deadLetters', 'auditLog'];
const BOARDS = ['boards', 'tickets', 'board', 'triageRules', 'auditLog'];
const RELEASES = ['releases', 'auditLog'];
const CHANGELOG = ['changelogEntries', 'auditLog'];
const ALERTS = ['alertRules', 'auditLog'];
const MEMBERS = ['members', 'projectRoles', 'roles', 'auditLog'];
const KEYS = ['apiKeys', 'apiTokens', 'deployTokens', 'auditLog'];
const COHORTS = ['cohorts', 'auditLog'];
const PEOPLE = ['people', 'person', 'personById', 'events'];
const SYMBOLS = ['symbolArtifacts', 'missingSymbols', 'crashEvents', 'events', 'auditLog'];
const SOURCES = ['symbolSources', 'auditLog'];

/** Which lists a mutation of the schema lengthens, shortens or puts in another order: they are asked for again. */
export const LISTS_CHANGED: Readonly<Record<string, readonly string[]>> = {
  addMember: MEMBERS,
  archiveConfigItem: ITEMS,
  archiveFlag: FLAGS,
  archiveFlags: FLAGS,
  archiveSurvey: SURVEYS,
  assignCrashIssue: ISSUES,
  changeMemberRole: MEMBERS,
  closeSurvey: SURVEYS,
  completeSymbolUpload: SYMBOLS,
  createAlertRule: ALERTS,
  createApiKey: KEYS,
  createApiToken: KEYS,
  createBoard: BOARDS,
  createChangelogEntry: CHANGELOG,
  createCohort: COHORTS,
  createConfigItem: ITEMS,
  createDeployToken: KEYS,
  createDistribution: ['surveyDistributions', 'auditLog'],
  createFlag: FLAGS,
  createProject: ['projects'],
  createRelease: RELEASES,
  createSurvey: SURVEYS,
  createSymbolSource: SOURCES,
  createTicket: BOARDS,
  createTriageRule: BOARDS,
  createWebhookSubscription: WEBHOOKS,
  deleteAlertRule: ALERTS,
  deleteBoard: BOARDS,
  deleteChangelogEntry: CHANGELOG,
  deleteCohort: COHORTS,
  deleteDistribution: ['surveyDistributions', 'surveyResponses', 'auditLog'],
  deletePerson: PEOPLE,
  deleteRelease: RELEASES,
  deleteRespondent: ['responses', 'surveyResults', 'surveyResponses'],
  deleteSymbolArtifact: SYMBOLS,
  deleteSymbolSource: SOURCES,
  deleteTicket: BOARDS,
  deleteTriageRule: BOARDS,
  deleteWebhookSubscription: WEBHOOKS,
  haltFlag: FLAGS,
  ignoreCrashIssue: ISSUES,
  mergeCrashIssues: ISSUES,
  promoteRelease: RELEASES,
  publishChangelogEntry: CHANGELOG,
  publishSurvey: SURVEYS,
  removeMember: MEMBERS,
  removeProjectRole: MEMBERS,
  reopenCrashIssue: ISSUES,
  replayDeadLetter: WEBHOOKS,
  replayDeadLetters: WEBHOOKS,
  replayDeliveries: WEBHOOKS,
  reprocessCrashEvents: ISSUES,
  resolveCrashIssue: ISSUES,
  resolveCrashIssues: ISSUES,
  resumeFlag: FLAGS,
  revokeApiKey: KEYS,
  revokeApiToken: KEYS,
  revokeDeployToken: KEYS,
  rollbackConfigItem: ITEMS,
  rotateWebhookSecret: WEBHOOKS,
  setProjectPlan: ['usage'],
  splitPerson: PEOPLE,
  testAlertRule: WEBHOOKS,
  testWebhookSubscription: WEBHOOKS,
  transitionTicket: BOARDS,
  transitionTickets: BOARDS,
  unarchiveConfigItem: ITEMS,
  unarchiveFlag: FLAGS,
  unarchiveSurvey: SURVEYS,
  unmergeCrashIssue: ISSUES,
  updateConfigItem: ITEMS,
  updateFlag: FLAGS,
  updateProject: ['projects', 'auditLog'],
  updateRelease: RELEASES,
  updateSurvey: SURVEYS,
  updateSymbolSource: SOURCES,
  updateTicket: BOARDS,
  updateWebhookSubscription: WEBHOOKS,
  uploadSymbolArtifact: SYMBOLS,
};
