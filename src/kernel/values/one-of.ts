import { Extensions } from 'type-graphql';

const ONE_OF = 'oneOf';

/** Makes an input accept exactly one of its fields (`@oneOf`), which must all be nullable. */
export const OneOf = (): ClassDecorator => Extensions({ [ONE_OF]: true }) as ClassDecorator;

/** Whether an input type uses {@link OneOf}. */
export const isOneOf = ({ extensions }: { extensions: object }): boolean => ONE_OF in extensions;
