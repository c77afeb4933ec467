import type { Names } from './names';

/**
 * The text with narrow punctuation, letters and digits for the wide ones that Chinese text has, character for
 * character, so that a place in one is the place in the other. Not a wide comma, but between wide digits: it
 * is no decimal one.
 */
export function narrow(text: string): string {
  return text.replace(
    /[\uff01-\uff0b\uff0d-\uff5e\u3000\u00a0\u2002-\u200a\u202f\u21e5\ufe6a]|(?<=[\uff10-\uff19])\uff0c(?=[\uff10-\uff19])/gu,
    (char) => {
      // What a tab looks like where somebody made it visible.
      if (char === '\u21e5') return '\t';
      if (char === '\ufe6a') return '%';
      const code = char.charCodeAt(0);
      return code >= 0xff01 ? String.fromCharCode(code - 0xfee0) : ' ';
    },
  );
}

/** A name stands this near behind the one before it, or is left as it is. */
const WINDOW = 1000;

/** The names that were read from a line, in its order, with the wide characters that it writes them with. */
export function inWidthOf<T extends Names>(raw: string, read: readonly T[]): T[] {
  const narrowed = narrow(raw);
  if (narrowed === raw) return [...read];
  let from = 0;
  return read.map((line) => {
    const place = (name: string) => narrowed.slice(from, from + WINDOW).indexOf(name);
    const wide = (name: string, at: number) =>
      at < 0 ? name : raw.slice(from + at, from + at + name.length);
    const [inci, chinese] = [place(line.inciName), place(line.chineseName)];
    const named = {
      ...line,
      inciName: wide(line.inciName, inci),
      chineseName: wide(line.chineseName, chinese),
    };
    from += Math.max(0, line.inciName === '' ? chinese : inci);
    return named;
  });
}
