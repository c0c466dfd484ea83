/** Mutations of the schema that no document of the console uses, each with the reason. */
export const UNUSED_MUTATIONS: Readonly<Record<string, string>> = {
  archiveConfigItems: 'items are archived one by one, on their page',
  archiveFlags: 'flags are archived one by one, on their page',
  archiveSurveys: 'surveys are archived one by one, on their page',
  deleteDocuments: 'for the operators of clients that store their documents',
  deleteRespondent: 'for requests under data protection law, by GraphQL',
  revokeApiKeys: 'keys are revoked one by one, where their last use stands',
  setProjectPlan: 'for operators of the installation, by GraphQL',
  signIn: 'the console signs in with a cookie',
  storeDocuments: 'for the operators of clients that store their documents',
  transitionTickets: 'tickets are moved one by one, by drag or arrow',
  uploadSymbolArtifact: 'files go in parts, which a broken line does not begin anew',
};
