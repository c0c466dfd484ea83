/** A tab of the playground that is open on the first visit. */
export interface PlaygroundExample {
  query: string;
  variables?: Record<string, unknown>;
}

/** The examples, in the order in which a newcomer tries them: each takes ids from the answers of those before. */
export const PLAYGROUND_EXAMPLES: readonly PlaygroundExample[] = [
  {
    query: `# Start here: first-run.json in the data
# directory has e-mail and password. The
# token goes into the field above by itself.
mutation SignIn($input: SignInInput!) {
  signIn(input: $input) {
    token
    expiresAt
  }
}`,
    variables: { input: { email: 'owner@example.com', password: '' } },
  },
  {
    query: `query Me {
  me {
    id
    email
  }
  projects(first: 10) {
    edges {
      node {
        id
        name
      }
    }
  }
}`,
  },
  {
    query: `mutation CreateConfigItem($input: CreateConfigItemInput!) {
  createConfigItem(input: $input) {
    id
    key
    type
    currentVersion
  }
}`,
    variables: {
      input: {
        projectId: 'project id from the tab Me',
        environment: 'live',
        key: 'welcome_text',
        type: 'string',
        value: 'Welcome aboard',
      },
    },
  },
  {
    query: `mutation ChangeConfigItem($input: UpdateConfigItemInput!) {
  updateConfigItem(input: $input) {
    id
    defaultValue
    currentVersion
  }
}`,
    variables: { input: { id: 'item id', value: 'Welcome back', note: 'Friendlier', expectedVersion: 1 } },
  },
  {
    query: `query Versions($id: ID!) {
  configItem(id: $id) {
    key
    defaultValue
    currentVersion
    versions(first: 20) {
      edges {
        node {
          id
          versionNumber
          action
          valueSnapshot
          note
          createdAt
        }
      }
    }
  }
}`,
    variables: { id: 'item id' },
  },
  {
    query: `mutation RollBack($input: RollbackConfigItemInput!) {
  rollbackConfigItem(input: $input) {
    item {
      id
      defaultValue
      currentVersion
    }
  }
}`,
    variables: {
      input: { itemId: 'item id', versionId: 'version id from the tab Versions', note: 'Back to the first' },
    },
  },
  {
    query: `query AuditLog {
  auditLog(first: 20) {
    edges {
      node {
        id
        kind
        createdAt
      }
    }
  }
}`,
  },
  {
    query: `# Run this, then change something: in another
# tab of the browser, in the console, by curl.
subscription Watch($projectId: ID!) {
  projectChanged(projectId: $projectId) {
    kind
    objectId
    environment
    at
  }
}`,
    variables: { projectId: 'project id from the tab Me' },
  },
];
