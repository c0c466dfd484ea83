import { Length, Matches } from 'class-validator';

/** Makes an input take only a name or title that a person can read: 1 to `most` characters, not only spaces. */
export const IsName =
  (most = 200): PropertyDecorator =>
  (target, property) => {
    const message = `${String(property)} must have 1 to ${most} characters, not only spaces`;
    Length(1, most, { message })(target, property as string);
    Matches(/\S/, { message })(target, property as string);
  };
