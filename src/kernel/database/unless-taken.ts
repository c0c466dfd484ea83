import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { DomainError } from '../errors.js';

/** Waits for a write; where it would break a unique constraint, fails with `taken`. */
export async function unlessTaken(write: Promise<unknown>, taken: () => DomainError): Promise<void> {
  try {
    await write;
  } catch (error) {
    throw error instanceof UniqueConstraintViolationException ? taken() : error;
  }
}
