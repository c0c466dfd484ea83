export interface PeopleOperation {
  distinctId: string;
  /** The JSON text of an object. */
  properties: string;
}

export interface AliasOperation {
  aliasId: string;
  distinctId: string;
}

/** Operations that change which ids belong together, and what is known about a person. */
export interface IdentityOperations {
  aliases: AliasOperation[];
  people: PeopleOperation[];
}
