import { text } from '../platform/texts/text';

/** Longest username, and longest form of it, in characters (code points). */
export const MAX_USERNAME = 200;

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
