/** With unseen characters written out: some would command the terminal. */
export const visible = (text: string): string =>
  text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
