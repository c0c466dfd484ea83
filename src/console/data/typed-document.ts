/** A document with the types of its answer and its variables, as the build writes it from a `.graphql` file. */
export interface TypedDocument<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}
