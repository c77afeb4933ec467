import { type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { BYTES_PER_LINE, MAX_ANSWER_BYTES } from '../../src/ai/providers/sdk/provider-fetch';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { messagesOf } from '../support/event-stream';
import { answers, type Behaviour, REMOTE_PROVIDERS } from '../support/fake-providers';
import { option, PREDICTION } from '../support/fake-providers/sample-answers';

let asked = 0;
const newLines = () => ({ ingredients: [{ name: `成分${++asked}`, percentage: 5, category: 'other' }] });
const newAim = () => ({ costLimit: 1000 + ++asked });

const NUL = String.fromCharCode(0);
const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

/** Writes `piece` until the reader has gone. */
function endless(headers: Record<string, string>, piece: string): Behaviour {
  return ({ response }) => {
    response.writeHead(200, headers);
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) continue;
    };
    response.on('drain', more);
    more();
  };
}

/** A body that is compressed although nobody asked for that. */
const compressed =
  (headers: Record<string, string>, body: Buffer): Behaviour =>
  ({ response }: { response: ServerResponse }) => {
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
    response.end(gzipSync(body));
  };

describe.each(REMOTE_PROVIDERS)('an answer of any size: %s', (provider) => {
  let ai: AiApp;

  beforeAll(async () => {
    ai = await bootAiApp(provider);
  });
  afterAll(() => ai.close());
  beforeEach(() => ai.fake.reset(answers(PREDICTION)));

  const predict = async () => {
    const { text } = await ai.user.post('/api/ai/predict-formula', newLines()).buffer(true).expect(200);
    return JSON.parse(messagesOf(text)[0].content) as typeof PREDICTION;
  };
  const explore = async () => {
    const { text } = await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
    return messagesOf(text);
  };

  it('is asked for without compression', async () => {
    await predict();
    await explore();
    const encodings = new Set(ai.fake.received.map(({ headers }) => headers['accept-encoding']));
    expect([...encodings]).toEqual(['identity']);
  });

  it('is read where it is compressed all the same', async () => {
    ai.fake.otherwise = ({ asked, response, protocol }) =>
      compressed(
        JSON_TYPE,
        Buffer.from(JSON.stringify(protocol.completion(asked, JSON.stringify(PREDICTION), 7))),
      )({
        asked,
        response,
        protocol,
      });
    expect((await predict()).reasoning).toBe(PREDICTION.reasoning);
  });

  const big = Buffer.alloc(MAX_ANSWER_BYTES + 1, ' ');
  it.each<[string, Behaviour]>([
    ['without end', endless(JSON_TYPE, ' '.repeat(16_384))],
    ['of many lines', endless(JSON_TYPE, '\n'.repeat(16_384))],
    ['compressed to a thousandth', compressed(JSON_TYPE, big)],
  ])('a whole answer %s ends in the preset after one request', async (_, behaviour) => {
    ai.fake.otherwise = behaviour;
    expect((await predict()).reasoning).toContain('预设结果');
    expect(ai.fake.received).toHaveLength(1);
  });

  it('the connection of one that is broken off is closed', async () => {
    ai.fake.otherwise = endless(JSON_TYPE, ' '.repeat(16_384));
    await predict();
    await ai.fake.received[0]!.aborted;
    ai.fake.reset(endless(STREAM_TYPE, 'x'.repeat(16_384)));
    await explore();
    await ai.fake.received[0]!.aborted;
  });

  it.each<[string, Behaviour]>([
    ['of one line', endless(STREAM_TYPE, 'x'.repeat(16_384))],
    ['of one line in small pieces', endless(STREAM_TYPE, 'x'.repeat(100))],
    ['of empty lines', endless(STREAM_TYPE, '\n'.repeat(16_384))],
    ['of short events', endless(STREAM_TYPE, ': x\n\n'.repeat(3000))],
    ['of short lines in one event', endless(STREAM_TYPE, ': x\n'.repeat(3000))],
    ['compressed to a thousandth', compressed(STREAM_TYPE, big)],
  ])('a stream %s ends in the preset after one request', async (_, behaviour) => {
    ai.fake.otherwise = behaviour;
    const messages = await explore();
    expect(messages[0].option.reasoning).toContain('预设方案');
    expect(ai.fake.received).toHaveLength(1);
  });

  it('an error of any size is the status it has', async () => {
    ai.fake.otherwise = ({ response }) => {
      response.writeHead(401, JSON_TYPE);
      response.end(big);
    };
    expect((await predict()).reasoning).toContain('预设结果');
    expect(ai.fake.received).toHaveLength(1);
  });

  it('a body is read up to its limit', async () => {
    ai.fake.otherwise = ({ asked, response, protocol }) => {
      const body = JSON.stringify(protocol.completion(asked, JSON.stringify(PREDICTION), 7));
      response.writeHead(200, JSON_TYPE);
      // What comes in one write may arrive in pieces, each of which counts besides.
      response.end(body + ' '.repeat(MAX_ANSWER_BYTES - body.length - 4096 * BYTES_PER_LINE));
    };
    expect((await predict()).reasoning).toBe(PREDICTION.reasoning);
  });

  it('what a request may not hold, an answer may not either: one repair, and nothing is kept', async () => {
    const lines = newLines();
    const ask = async () => {
      const { text } = await ai.user.post('/api/ai/predict-formula', lines).buffer(true).expect(200);
      return JSON.parse(messagesOf(text)[0].content) as typeof PREDICTION;
    };
    ai.fake.otherwise = answers({ ...PREDICTION, reasoning: `a${NUL}b` });
    expect((await ask()).reasoning).toContain('预设结果');
    expect(ai.fake.received).toHaveLength(2);
    ai.fake.reset(answers({ ...PREDICTION, reasoning: `a${NUL}b` }));
    ai.fake.script.push(answers({ ...PREDICTION, reasoning: 'a\ud800b' }), answers(PREDICTION));
    expect((await ask()).reasoning).toBe(PREDICTION.reasoning);
  });

  it('an extraction or a search with such a character is no 500 of the database', async () => {
    const line = { chineseName: '', percentage: 5, phase: 'A', processNotes: '' };
    ai.fake.otherwise = answers({ ingredients: [{ ...line, inciName: `Gly${NUL}cerin` }] });
    const { body } = await ai.user.post('/api/ai/extract-formula', { text: `甘油 ${++asked}%` }).expect(500);
    expect(body.error).toBe('AI 提取失败,请重试');
    ai.fake.otherwise = answers({ keywords: [`面${NUL}霜`], filters: null });
    const found = await ai.user.get(`/api/ai/search?q=${encodeURIComponent(`面霜 ${++asked}`)}`).expect(200);
    expect(found.headers['x-ai-source']).toBe('fallback');
  });

  it('of streamed options such a one is left out', async () => {
    ai.fake.otherwise = answers({ options: [option('a'), option(`b${NUL}`), option('c')] });
    const messages = await explore();
    expect(messages.flatMap(({ option }) => (option ? [option.name] : []))).toEqual(['a', 'c']);
  });

  it('more than 200 extracted lines are cut, and counted', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        inciName: `Extract ${at}`,
        chineseName: '',
        percentage: 0.1,
        phase: 'A',
        processNotes: '',
      }));
    const extract = (text: string) => ai.user.post('/api/ai/extract-formula', { text }).expect(200);
    ai.fake.otherwise = answers({ ingredients: lines(200) });
    const whole = await extract(`${++asked}`);
    expect(whole.body.data).toHaveLength(200);
    expect(whole.headers).not.toHaveProperty('x-unread-lines');
    ai.fake.otherwise = answers({ ingredients: lines(203) });
    const cut = await extract(`${++asked}`);
    expect(cut.body.data).toHaveLength(200);
    expect(cut.body.data[199].inciName).toBe('Extract 199');
    expect(cut.headers['x-unread-lines']).toBe('3');
  });
});
