export interface PeopleOperation {
  distinctId: string;
  /** The JSON text of an object. */
  properties: string;
}

export interface AliasOperation {
  aliasId: string;
  distinctId: string;
}

/** Operations that change whose ids are whose, and what is known of a person. */
export interface IdentityOperations {
  aliases: AliasOperation[];
  people: PeopleOperation[];
}
