import { text } from '../../common/texts/text';

/** Most characters (code points) of a username, and of its form. */
export const MAX_USERNAME = 200;

/**
 * Unicode's "other" (control, format, private, unpaired and unassigned characters), its default-ignorable
 * ones and the empty Braille pattern. Nobody sees them, so two names that differ in them look the same.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isTooLong = (text: string) => Array.from(text).length > MAX_USERNAME;

/**
 * Why a new account cannot have this name, or nothing when it can. Names that are there stay as they are.
 * @param username trimmed
 */
export function usernameFault(username: string): 'unseen characters' | 'too long' | undefined {
  // One character can become 18 in the form, and an index entry has a bound.
  if (isTooLong(username) || isTooLong(username.normalize('NFKC'))) return 'too long';
  return UNSEEN.test(username) ? 'unseen characters' : undefined;
}

/** The message for each fault. */
export const USERNAME_FAULTS = {
  'unseen characters': text('field.unseen-character'),
  'too long': text('field.text-too-long', { max: MAX_USERNAME }),
};
