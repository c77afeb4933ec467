interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
}

const TEXT_TYPES: readonly unknown[] = [undefined, 'text', 'output_text'];

/** Returns the text of a message's content, which is a string or a list of parts. Skips parts such as reasoning. */
export function contentText(content: unknown): string {
  return [content]
    .flat()
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const { type, text } = (part ?? {}) as ContentPart;
      return typeof text === 'string' && TEXT_TYPES.includes(type) ? text : '';
    })
    .join('');
}
