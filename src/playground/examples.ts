/** A tab that the playground opens on the first visit. */
export interface PlaygroundExample {
  query: string;
  variables?: Record<string, unknown>;
}

/** The examples, in a good order to try them: each uses ids from earlier results. */
export const PLAYGROUND_EXAMPLES: readonly PlaygroundExample[] = [
  {
    query: `# Start here. Your email and password are in
# first-run.json in the data directory. The
# token is filled in above automatically.
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
        projectId: 'project id from the Me tab',
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
      input: { itemId: 'item id', versionId: 'version id from the Versions tab', note: 'Back to the first' },
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
    query: `# Run this, then change something in another
# browser tab, in the console or with curl.
subscription Watch($projectId: ID!) {
  projectChanged(projectId: $projectId) {
    kind
    objectId
    environment
    at
  }
}`,
    variables: { projectId: 'project id from the Me tab' },
  },
];
