/** Escapes invisible characters, because some are control sequences of the terminal. */
export const visible = (text: string): string =>
  text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
