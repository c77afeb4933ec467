import { MAX_PASSWORD, MIN_PASSWORD } from './credentials.dto';
import { MAX_USERNAME, usernameFault } from './username';

/*
 * The rules of registration for names and passwords that an operator chooses, as messages for a terminal. The
 * messages never contain the value.
 */

/**
 * @param username trimmed
 * @returns the problem, as the end of a sentence; undefined if there is none
 */
export function usernameProblem(username: string): string | undefined {
  if (username === '') return 'is empty';
  switch (usernameFault(username)) {
    case 'unseen characters':
      return 'contains a control, format, invisible or unassigned character';
    case 'too long':
      return `is longer than ${MAX_USERNAME} characters`;
    case undefined:
      return undefined;
  }
}

/** @returns the problem, as the end of a sentence; undefined if there is none */
export function passwordProblem(password: string): string | undefined {
  const length = Array.from(password).length;
  if (password.trim() === '') return 'is blank';
  if (password.includes('\u0000')) return 'contains a NUL character';
  if (length < MIN_PASSWORD) return `is shorter than ${MIN_PASSWORD} characters`;
  if (length > MAX_PASSWORD) return `is longer than ${MAX_PASSWORD} characters`;
  return undefined;
}
