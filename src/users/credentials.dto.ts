import { ApiProperty } from '@nestjs/swagger';
import { type Role, ROLES } from '../platform/common/current-user';
import { type Text, text } from '../platform/texts/text';
import { TextField } from '../platform/validation/fields';

/** Longest username, and longest form of it, in characters (code points). */
const MAX_USERNAME = 200;

/**
 * Unicode's "other" characters (control, format, private, unpaired and unassigned), its default-ignorable ones and
 * the empty Braille pattern. They are invisible, so two names that differ in them look the same.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isTooLong = (text: string) => Array.from(text).length > MAX_USERNAME;

/**
 * Returns why a new account cannot have this name; undefined if it can. Existing names are not checked.
 * @param username trimmed
 */
export function usernameFault(username: string): 'unseen characters' | 'too long' | undefined {
  // One character can become 18 in the form, and index entries have a maximum size.
  if (isTooLong(username) || isTooLong(username.normalize('NFKC'))) return 'too long';
  return UNSEEN.test(username) ? 'unseen characters' : undefined;
}

/** The message for each fault. */
export const USERNAME_FAULTS = {
  'unseen characters': text('field.unseen-character'),
  'too long': text('field.text-too-long', { max: MAX_USERNAME }),
};

/** Longest and shortest password, in characters. */
const MAX_PASSWORD = 1024;
const MIN_PASSWORD = 4;

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** The name of an existing account, which any version of the service may have created. */
class SignInNameDto {
  @TextField({
    min: 1,
    max: MAX_USERNAME,
    notBlank: false,
    trim: true,
    description: 'As it was registered, or with the same form NFKC',
    example: 'lin',
  })
  username!: string;
}

/** The name of a new account. */
class NewNameDto {
  @TextField({
    min: 1,
    max: MAX_USERNAME,
    notBlank: false,
    trim: true,
    rule: (username) => {
      const fault = usernameFault(username);
      return fault && USERNAME_FAULTS[fault];
    },
    description:
      'Stored trimmed, unique in Unicode’s form NFKC, which has at most as many characters; none of them a control, ' +
      'format, private, default-ignorable or unassigned character',
    example: 'lin',
  })
  username!: string;
}

/** Rules for a new password. */
const NEW_PASSWORD = {
  min: MIN_PASSWORD,
  max: MAX_PASSWORD,
  notBlank: false,
  description: 'Never trimmed',
  example: 'a long passphrase',
};

const isTooShort = (password: unknown) =>
  typeof password === 'string' && Array.from(password).length < MIN_PASSWORD;

export class RegisterDto extends NewNameDto {
  @TextField(NEW_PASSWORD)
  password!: string;

  /** The contract's exact texts, one at a time. */
  static faultText({ username, password }: Record<string, unknown>): Text | undefined {
    if (isBlank(username) || isBlank(password)) return text('auth.credentials-required');
    return isTooShort(password) ? text('auth.password-too-short') : undefined;
  }
}

export class LoginDto extends SignInNameDto {
  @TextField({ min: 1, max: MAX_PASSWORD, notBlank: false, example: 'a long passphrase' })
  password!: string;

  /** The contract's exact texts, the username first. */
  static faultText({ username, password }: Record<string, unknown>): Text | undefined {
    if (isBlank(username)) return text('auth.username-required');
    if (isMissing(password)) return text('auth.password-required');
    return undefined;
  }
}

export class ChangePasswordDto {
  @TextField({
    max: MAX_PASSWORD,
    notBlank: false,
    rule: (password) => (isMissing(password) ? text('field.required') : undefined),
    description: 'The password of the account',
    example: 'a long passphrase',
  })
  oldPassword!: string;

  @TextField({
    ...NEW_PASSWORD,
    notBlank: true,
    rule: (password) =>
      isTooShort(password) ? text('field.text-too-short', { min: MIN_PASSWORD }) : undefined,
    example: 'another long passphrase',
  })
  newPassword!: string;
}

/** The signed-in user. */
export class AccountDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'lin' })
  username!: string;

  @ApiProperty({ enum: ROLES, example: 'engineer' })
  role!: Role;
}

/** The answer to registration and login. */
export class SessionDto extends AccountDto {
  @ApiProperty({ description: 'Bearer token, valid for 24 hours' })
  token!: string;
}

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
