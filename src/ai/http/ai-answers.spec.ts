import type { Response } from 'express';
import { concat, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { STREAM_OPENED } from '../../platform/sse/event-stream.interceptor';
import { text } from '../../platform/texts/text';
import type { AiPart } from '../pipeline/ai.service';
import type { ExploreOption } from '../capabilities/explore-formula/explore-formula';
import {
  type AiStream,
  namingSource,
  optionMessages,
  resultMessages,
  setExtractionHeaders,
} from './ai-answers';

const messagesOf = (stream: AiStream) => lastValueFrom(stream.pipe(toArray()));
const fails = throwError(() => new Error('sk-secret'));

describe('the messages of a stream', () => {
  const result = of({ answer: { a: [1] }, source: 'x' });
  const option = (name: string) => ({ part: { name }, source: 'x' }) as AiPart<ExploreOption>;

  it('are one result with the answer as JSON text', async () => {
    expect(await messagesOf(resultMessages(result, 'zh'))).toEqual([
      STREAM_OPENED,
      { type: 'result', content: '{"a":[1]}' },
    ]);
  });

  it('say in the reasoning that a preset stands in for the answer of a provider', async () => {
    const of2 = (source: string) => [
      resultMessages(of({ answer: { a: 1, reasoning: 'Why.' }, source }), 'zh'),
      optionMessages(of({ part: { ...option('a').part, reasoning: 'Why.' }, source }), 'zh'),
    ];
    const messages = async (source: string) => JSON.stringify(await Promise.all(of2(source).map(messagesOf)));
    expect(await messages('mock')).not.toContain('fallback');
    const told = await messages('fallback');
    expect(told.split('Why.AI 服务未能给出可用的回答,以上为预设内容(fallback)。')).toHaveLength(3);
    const { length } = await messagesOf(resultMessages(of({ answer: null, source: 'fallback' }), 'zh'));
    expect(length).toBe(2);
  });

  it('are options, each as it is, and a done', async () => {
    expect(await messagesOf(optionMessages(of(option('a'), option('b')), 'zh'))).toEqual([
      STREAM_OPENED,
      { type: 'option', option: { name: 'a' } },
      { type: 'option', option: { name: 'b' } },
      { type: 'done' },
    ]);
  });

  it.each<[string, AiStream, string]>([
    ['without a result', resultMessages(fails, 'zh'), 'AI 服务中断,请重试'],
    [
      'with a text of its own',
      resultMessages(fails, 'zh', text('ai.extraction-failed')),
      'AI 提取失败,请重试',
    ],
    ['after options', optionMessages(concat(of(option('a')), fails), 'zh'), 'AI 服务中断,请重试'],
  ])('end in one error of ours where the call failed: %s', async (_, stream, content) => {
    const messages = await messagesOf(stream);
    expect(messages[0]).toBe(STREAM_OPENED);
    expect(messages.at(-1)).toEqual({ type: 'error', content });
    expect(messages).not.toContainEqual({ type: 'done' });
  });
});

describe('what a header says of an answer', () => {
  const headersOf = (headersSent: boolean, tell: (response: Response) => void) => {
    const headers: Record<string, unknown> = {};
    const setHeader = (name: string, value: unknown) => (headers[name] = value);
    tell({ headersSent, setHeader } as unknown as Response);
    return headers;
  };

  it.each([
    [2, [3, 7], false, { 'X-Unread-Lines': '2; 3,7' }],
    [
      300,
      Array.from({ length: 300 }, (_, at) => at + 1),
      false,
      { 'X-Unread-Lines': expect.stringMatching(/^300; 1,2,.*,199,200$/) },
    ],
    [4, [], false, { 'X-Unread-Lines': '4' }],
    [0, [], false, {}],
    [1, [1], true, {}],
  ])('%d unread lines, %j, headers sent: %p', (count, textLines, headersSent, headers) => {
    const tell = (response: Response) =>
      setExtractionHeaders(response, { unread: { count, textLines, others: [], wrongTotals: [] } });
    expect(headersOf(headersSent, tell)).toEqual(headers);
  });

  it.each([
    [false, { 'X-AI-Source': 'cache' }],
    [true, {}],
  ])('its source, headers sent: %p', (headersSent, headers) => {
    const naming = (response: Response): void =>
      void of({ source: 'cache' }).pipe(namingSource(response)).subscribe();
    expect(headersOf(headersSent, naming)).toEqual(headers);
  });
});
