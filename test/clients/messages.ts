/** The messages of a stream: each is a line `data: <JSON>` and a blank line. */
export async function* messagesOf<Message>(
  body: ReadableStream<Uint8Array> | null | undefined,
): AsyncGenerator<Message> {
  if (!body) throw new Error('The answer has no body');
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) yield JSON.parse(message.slice('data: '.length)) as Message;
  }
}

type PredictMessage = { type: 'result'; content: string } | { type: 'error'; content: string };
type ExploreMessage =
  { type: 'option'; option: { name: string } } | { type: 'done' } | { type: 'error'; content: string };

/** The only message of a prediction. */
export async function predictionOf<Prediction>(messages: AsyncIterable<PredictMessage>): Promise<Prediction> {
  for await (const message of messages) {
    if (message.type === 'error') throw new Error(message.content);
    return JSON.parse(message.content) as Prediction;
  }
  throw new Error('The stream has no message');
}

/** The names of the options of an exploration, which `done` ends. */
export async function optionsOf(messages: AsyncIterable<ExploreMessage>): Promise<string[]> {
  const options: string[] = [];
  for await (const message of messages) {
    if (message.type === 'error') throw new Error(message.content);
    if (message.type === 'done') return options;
    options.push(message.option.name);
  }
  throw new Error('The stream ended without done');
}
