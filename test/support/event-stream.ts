/**
 * The messages of an event stream; anything but `data: <JSON>` lines with a blank line after each is an
 * error.
 */
export function messagesOf(text: string): ReturnType<typeof JSON.parse>[] {
  if (text !== '' && !text.endsWith('\n\n'))
    throw new Error(`The stream ends within a message: ${text.slice(-80)}`);
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((line) => {
      if (!line.startsWith('data: ') || line.includes('\n')) throw new Error(`Not a message: ${line}`);
      return JSON.parse(line.slice('data: '.length));
    });
}
