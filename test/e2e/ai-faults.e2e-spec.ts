import { AiStrategy } from '../../src/ai/providers/ai-provider';
import { messagesOf } from '../support/event-stream';
import { type AiApp, bootAiApp, SECRET_KEY } from '../support/ai-app';
import {
  answers,
  type Behaviour,
  drips,
  fails,
  garbage,
  hangs,
  page,
  REMOTE_PROVIDERS,
  resets,
  webPage,
} from '../support/fake-providers';
import { EXTRACTION, option, PREDICTION } from '../support/fake-providers/sample-answers';

let prompts = 0;

/** A request nobody has made before, so that no test meets another's cached answer. */
const newLines = () => ({ ingredients: [{ name: `成分${++prompts}`, percentage: 5, category: 'other' }] });
const newAim = () => ({ costLimit: 1000 + ++prompts });

describe.each(REMOTE_PROVIDERS)('a faulty provider: %s', (provider) => {
  let ai: AiApp;

  beforeAll(async () => {
    ai = await bootAiApp(provider);
  });
  afterAll(() => ai.close());
  beforeEach(() => {
    ai.fake.reset(answers(PREDICTION));
    ai.time.pauses.length = 0;
    ai.logged.length = 0;
  });

  const predict = async () => {
    const { text } = await ai.user.post('/api/ai/predict-formula', newLines()).buffer(true).expect(200);
    const messages = messagesOf(text);
    expect(messages).toHaveLength(1);
    expect(messages[0].type).toBe('result');
    return JSON.parse(messages[0].content) as typeof PREDICTION;
  };
  const explore = async (body: object = newAim()) => {
    const { text } = await ai.user.post('/api/ai/explore-formula', body).buffer(true).expect(200);
    return messagesOf(text);
  };
  const isPreset = (prediction: { reasoning: string }) => prediction.reasoning.startsWith('预设结果');

  it('answers with what the provider says when nothing is wrong', async () => {
    expect(await predict()).toEqual(PREDICTION);
    expect(ai.fake.received).toHaveLength(1);
  });

  it('nothing listens there: the preset, after the pauses of three retries', async () => {
    await ai.configure({ key: SECRET_KEY, baseUrl: 'http://127.0.0.1:1/v1' });
    try {
      expect(isPreset(await predict())).toBe(true);
      expect(ai.time.pauses.filter((pause) => pause >= 250)).toHaveLength(3);
    } finally {
      await ai.configure({ key: '', baseUrl: '' });
    }
  });

  /** Busy at first; by the time of the next attempt the configuration is another. */
  const busyWhile = (change: Parameters<AiApp['configure']>[0]): Behaviour => {
    return async (exchange) => {
      await ai.configure(change);
      await fails(503)(exchange);
    };
  };
  const keysSent = () =>
    ai.fake.received.map(({ headers }) => String(headers.authorization ?? headers['x-api-key']));

  it('a key that is replaced while a call waits for its next attempt is not sent again', async () => {
    ai.fake.script.push(busyWhile({ key: 'sk-replaced' }));
    try {
      expect(await predict()).toEqual(PREDICTION);
      expect(keysSent()).toEqual([
        expect.stringContaining(SECRET_KEY),
        expect.stringContaining('sk-replaced'),
      ]);
    } finally {
      await ai.configure({ key: '' });
    }
  });

  it('an address that is taken away while a call waits is not asked again', async () => {
    ai.fake.script.push(busyWhile({ baseUrl: 'http://127.0.0.1:1/v1' }));
    try {
      expect(isPreset(await predict())).toBe(true);
      expect(ai.fake.received).toHaveLength(1);
      // One attempt was made, and nobody waited for another address to be tried.
      expect(ai.time.pauses.filter((pause) => pause >= 250)).toHaveLength(1);
    } finally {
      await ai.configure({ baseUrl: '' });
    }
  });

  it('a key that is removed while a call waits is not sent again, nor another in its place', async () => {
    await ai.configure({ key: 'sk-removed', baseUrl: ai.fake.baseUrl });
    ai.fake.script.push(busyWhile({ key: '' }));
    try {
      expect(isPreset(await predict())).toBe(true);
      expect(keysSent()).toEqual([expect.stringContaining('sk-removed')]);
    } finally {
      await ai.configure({ key: '', baseUrl: '' });
    }
  });

  it('mock mode that is switched on while a call waits lets it ask nobody any more', async () => {
    ai.fake.script.push(busyWhile({ aiMock: 'true' }));
    try {
      expect(isPreset(await predict())).toBe(true);
      expect(ai.fake.received).toHaveLength(1);
    } finally {
      await ai.configure({ aiMock: '' });
    }
  });

  it('mock mode that is switched on while a call is answered takes nothing from it', async () => {
    ai.fake.script.push(async (exchange) => {
      await ai.configure({ aiMock: 'true' });
      await answers(PREDICTION)(exchange);
    });
    try {
      expect(await predict()).toEqual(PREDICTION);
    } finally {
      await ai.configure({ aiMock: '' });
    }
  });

  it('connection closed without an answer: tries four times, then answers with the preset', async () => {
    ai.fake.otherwise = resets;
    expect(isPreset(await predict())).toBe(true);
    expect(ai.fake.received).toHaveLength(4);
  });

  it('401: asks once, answers with the preset, and repeats the key nowhere', async () => {
    ai.fake.otherwise = fails(401, { message: `Incorrect API key provided: ${SECRET_KEY}` });
    const response = await ai.user.post('/api/ai/predict-formula', newLines()).buffer(true).expect(200);
    expect(isPreset(JSON.parse(messagesOf(response.text)[0].content))).toBe(true);
    expect(ai.fake.received).toHaveLength(1);
    expect(JSON.stringify([response.text, response.headers, ai.logged])).not.toContain(SECRET_KEY);
    expect(ai.logged.some(({ level, text }) => level === 'warn' && text.includes('401'))).toBe(true);
  });

  describe('an error text that repeats the key', () => {
    const leak = `Incorrect API key provided: ${SECRET_KEY}`;
    const started = JSON.stringify({ options: [option('first'), option('second')] });
    const breaksOff = (pieces: number) => answers(started, { pieces, then: 'error', message: leak });

    it.each([
      ['401', fails(401, { message: leak })],
      ['400', fails(400, { message: leak })],
      ['429', fails(429, { message: leak, headers: { 'x-echo': SECRET_KEY } })],
      ['500', fails(500, { message: leak })],
      ["a proxy's page", page(502, leak)],
      ['an error event before an option', breaksOff(1)],
      ['an error event after an option', breaksOff(Math.ceil((started.indexOf('second') + 20) / 40))],
    ])('%s: is in no response, log line or audit row', async (_, behaviour) => {
      const before = (await ai.audits()).length;
      ai.fake.otherwise = behaviour;
      const responses = [
        await ai.user.post('/api/ai/predict-formula', newLines()).buffer(true).expect(200),
        await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200),
        await ai.user.post('/api/ai/extract-formula', { text: `水 ${++prompts}` }),
        await ai.user.get(`/api/ai/search?q=${++prompts}`).expect(200),
        await ai.user.get('/api/config').expect(200),
      ];
      const rows = (await ai.audits()).slice(before);
      expect(rows).toHaveLength(4);
      expect(ai.logged.some(({ level }) => level === 'warn')).toBe(true);
      const shown = responses.map(({ text, headers }) => [text, headers]);
      expect(JSON.stringify([shown, ai.logged, rows])).not.toContain(SECRET_KEY);
    });
  });

  it('429 with Retry-After: waits as long as it asks, then answers', async () => {
    ai.fake.script.push(fails(429, { headers: { 'retry-after': '3' } }));
    expect(await predict()).toEqual(PREDICTION);
    expect(ai.time.pauses).toContain(3000);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('429 with an hour of Retry-After: waits no longer than 20 s', async () => {
    ai.fake.script.push(fails(429, { headers: { 'retry-after': '3600' } }));
    expect(await predict()).toEqual(PREDICTION);
    expect(Math.max(...ai.time.pauses)).toBe(20_000);
  });

  it('500 once: answers after one retry', async () => {
    ai.fake.script.push(fails(500));
    expect(await predict()).toEqual(PREDICTION);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('500 always: four attempts with growing pauses, then the preset, which is not remembered', async () => {
    ai.fake.otherwise = fails(500);
    const body = newLines();
    const post = () => ai.user.post('/api/ai/predict-formula', body).buffer(true).expect(200);
    expect(isPreset(JSON.parse(messagesOf((await post()).text)[0].content))).toBe(true);
    expect(ai.fake.received).toHaveLength(4);
    const [first = 0, second = 0, third = 0] = ai.time.pauses.filter((pause) => pause >= 250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(third).toBeGreaterThanOrEqual(1000);
    ai.fake.reset(answers(PREDICTION));
    expect(JSON.parse(messagesOf((await post()).text)[0].content)).toEqual(PREDICTION);
  });

  it('500 always: extraction fails with its own text, because an invented formula would be saved', async () => {
    ai.fake.otherwise = fails(500);
    const { body } = await ai.user.post('/api/ai/extract-formula', { text: `水 ${++prompts}` }).expect(500);
    expect(body).toEqual({ error: 'AI 提取失败,请重试', statusCode: 500 });
    const stream = await ai.user
      .post('/api/ai/extract-formula', { text: `水 ${++prompts}` })
      .set('Accept', 'text/event-stream')
      .buffer(true)
      .expect(200);
    expect(messagesOf(stream.text)).toEqual([{ type: 'error', content: 'AI 提取失败,请重试' }]);
  });

  it('500 always: a search looks for the phrase and its words', async () => {
    ai.fake.otherwise = fails(500);
    const response = await ai.user.get(`/api/ai/search?q=${encodeURIComponent('保湿 面霜')}`).expect(200);
    expect(response.body.keywords).toEqual(['保湿 面霜', '保湿', '面霜']);
    expect(response.headers['x-ai-source']).toBe('fallback');
  });

  it('a hang: each attempt is given up and aborted upstream, then the preset', async () => {
    ai.fake.otherwise = hangs;
    const answer = predict();
    await ai.fake.arrived(1);
    ai.time.advance(30_000);
    await ai.fake.received[0]!.aborted;
    await ai.fake.arrived(2);
    ai.time.advance(30_000);
    expect(isPreset(await answer)).toBe(true);
    await ai.fake.received[1]!.aborted;
  });

  it('a hang in mid-stream before a first option: given up, aborted upstream, tried again', async () => {
    ai.fake.script.push(answers({ options: [option('a')] }, { pieces: 1, then: 'hang' }));
    ai.fake.otherwise = answers({ options: [option('b')] });
    const messages = explore();
    await ai.fake.arrived(1);
    ai.time.advance(30_000);
    await ai.fake.received[0]!.aborted;
    expect(await messages).toEqual([{ type: 'option', option: option('b') }, { type: 'done' }]);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('a slow drip of an answer that is not streamed: each attempt ends in time, then the preset', async () => {
    let sent = 0;
    ai.fake.otherwise = drips(async () => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      ai.time.advance(10_000);
    });
    expect(isPreset(await predict())).toBe(true);
    for (const { aborted } of ai.fake.received) await aborted;
    expect(sent).toBeLessThan(20);
  });

  it('a slow drip without a complete option: ends with the call, not with the last byte', async () => {
    let sent = 0;
    ai.fake.otherwise = answers(
      { options: [option('drip')] },
      {
        pieceSize: 1,
        beforePiece: async (number) => {
          sent = number;
          // Each piece comes within the time of an attempt, but together they take for ever.
          ai.time.advance(10_000);
          await new Promise((resolve) => setTimeout(resolve, 10));
        },
      },
    );
    const messages = await explore();
    expect(messages.at(-1)).toEqual({ type: 'done' });
    expect(messages[0].option.reasoning).toContain('预设方案');
    expect(sent).toBeLessThan(20);
    await ai.fake.received[0]!.aborted;
  });

  it.each([
    ['broken JSON', garbage],
    ['a web page', webPage],
    ['an empty answer', answers('')],
  ])('%s: asks once more, then the preset', async (_, behaviour) => {
    ai.fake.otherwise = behaviour;
    expect(isPreset(await predict())).toBe(true);
    expect(ai.fake.received).toHaveLength(2);
  });

  it.each([
    ['broken JSON', garbage],
    ['a web page', webPage],
    ['an empty answer', answers('')],
    ['the wrong shape', answers({ options: [{ name: 'no changes' }] })],
  ])('%s in a stream: asks once more, then the preset options', async (_, behaviour) => {
    ai.fake.otherwise = behaviour;
    const messages = await explore();
    expect(messages[0].option.reasoning).toContain('预设方案');
    expect(messages.at(-1)).toEqual({ type: 'done' });
    expect(ai.fake.received).toHaveLength(2);
  });

  it('right JSON of the wrong shape: one repair request that says what is wrong', async () => {
    ai.fake.script.push(answers({ ...PREDICTION, stabilityScore: 140 }));
    expect(await predict()).toEqual(PREDICTION);
    expect(ai.fake.received).toHaveLength(2);
    const repair = JSON.stringify(ai.fake.received[1]?.asked.messages);
    expect(repair).toContain('stabilityScore');
    expect(repair).toContain('140');
  });

  it('the wrong shape twice: the preset; nothing is clamped into range', async () => {
    ai.fake.otherwise = answers({ ...PREDICTION, confidence: 1.2 });
    expect(isPreset(await predict())).toBe(true);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('a stream of the wrong shape: one repair request, then its options', async () => {
    ai.fake.script.push(answers({ variants: [option('a')] }));
    ai.fake.otherwise = answers({ options: [option('b')] });
    expect(await explore()).toEqual([{ type: 'option', option: option('b') }, { type: 'done' }]);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('cut in mid-stream before a first option: tries again', async () => {
    ai.fake.script.push(answers({ options: [option('a')] }, { pieces: 2, then: 'reset' }));
    ai.fake.otherwise = answers({ options: [option('b')] });
    expect(await explore()).toEqual([{ type: 'option', option: option('b') }, { type: 'done' }]);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('ended cleanly in the middle of the JSON: tries again', async () => {
    ai.fake.script.push(answers({ options: [option('a')] }, { pieces: 2, then: 'end' }));
    ai.fake.otherwise = answers({ options: [option('b')] });
    expect(await explore()).toEqual([{ type: 'option', option: option('b') }, { type: 'done' }]);
  });

  it.each(['reset', 'end', 'error'] as const)(
    '%s after a first option: one error ends it, without done',
    async (then) => {
      const text = JSON.stringify({ options: [option('first'), option('second')] });
      const pieces = Math.ceil((text.indexOf('second') + 20) / 40);
      ai.fake.otherwise = answers(text, { pieces, then });
      expect(await explore()).toEqual([
        { type: 'option', option: option('first') },
        { type: 'error', content: 'AI 服务中断,请重试' },
      ]);
      expect(ai.fake.received).toHaveLength(1);
    },
  );

  it('an error event in the stream before an option: tries again', async () => {
    ai.fake.script.push(answers({ options: [option('a')] }, { pieces: 1, then: 'error' }));
    ai.fake.otherwise = answers({ options: [option('b')] });
    expect(await explore()).toEqual([{ type: 'option', option: option('b') }, { type: 'done' }]);
  });

  describe('an answer that is wrapped', () => {
    const wrapped = (answer: unknown, draft: unknown): [string, string][] => {
      const [json, other] = [JSON.stringify(answer), JSON.stringify(draft)];
      const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\`\n`;
      return [
        ['reasoning with brackets', `<think>maybe {"ingredients": []} or {x}</think>${json}`],
        ['reasoning without an opening tag', `I think [1] and {x}</think>${json}`],
        ['reasoning with a draft', `<thinking>${other}? No.</thinking>\n${json}`],
        ['two fences', `Draft:\n${fence(other)}Final:\n${fence(json)}`],
        ['two fences without words', `${fence(other)}\n${fence(json)}`],
        ['a remark behind', `${json}\n\nNote: {w/w} [1].`],
        ['a sentence with brackets', `Sure, [options]: {x}\n${json}`],
        ['JSON as text', JSON.stringify(json)],
        ['JSON as text of a text', JSON.stringify(JSON.stringify(json))],
        ['an envelope', JSON.stringify({ name: 'answer', arguments: json })],
      ];
    };
    const draft = { ...PREDICTION, reasoning: 'Draft.' };

    it.each(wrapped(PREDICTION, draft))('predict: %s', async (_, text) => {
      ai.fake.otherwise = answers(text);
      expect(await predict()).toEqual(PREDICTION);
      expect(ai.fake.received).toHaveLength(1);
    });

    it.each(wrapped({ options: [option('a'), option('b')] }, { options: [option('draft')] }))(
      'explore: %s',
      async (_, text) => {
        ai.fake.otherwise = answers(text);
        expect(await explore()).toEqual([
          { type: 'option', option: option('a') },
          { type: 'option', option: option('b') },
          { type: 'done' },
        ]);
        expect(ai.fake.received).toHaveLength(1);
      },
    );

    it('a draft whose options were handed on before another answer: an error, and no done', async () => {
      const [first, second] = [{ options: [option('draft')] }, { options: [option('final')] }];
      ai.fake.otherwise = answers(`${JSON.stringify(first)}\nNo, this: ${JSON.stringify(second)}`);
      expect(await explore()).toEqual([
        { type: 'option', option: option('draft') },
        { type: 'error', content: 'AI 服务中断,请重试' },
      ]);
    });
  });

  it.each([null, {}, 'many', 12.5, 99_999_999_999, -5, true])(
    'the usage %j: an answer as any, tokens unknown, and a row for each of eight calls at once',
    async (count) => {
      const usage =
        count === null ? null : { total_tokens: count, input_tokens: count, output_tokens: count };
      ai.fake.otherwise = answers(PREDICTION, { body: { usage } });
      const before = (await ai.audits()).length;
      const predictions = await Promise.all(Array.from({ length: 8 }, predict));
      expect(predictions).toEqual(Array(8).fill(PREDICTION));
      const rows = (await ai.audits()).slice(before);
      expect(rows.map(({ tokens_used }) => tokens_used)).toEqual(Array(8).fill(null));
      expect(ai.logged.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  it('a failure that a gateway reports with status 200 is retried as what it says', async () => {
    ai.fake.script.push(answers('', { plain: true, body: { error: { code: 429 } } }));
    expect(await predict()).toEqual(PREDICTION);
    ai.fake.script.push(answers('', { plain: true, body: { error: { code: 429 } } }));
    ai.fake.otherwise = answers({ options: [option('a')] });
    expect(await explore()).toEqual([{ type: 'option', option: option('a') }, { type: 'done' }]);
    expect(ai.fake.received).toHaveLength(4);
    // The same request again, and none that asks for a repair.
    const [first, again] = ai.fake.received.map(({ asked }) => asked.messages);
    expect(again).toEqual(first);
  });

  it('a stream that falls back says so where no header can any more', async () => {
    ai.fake.otherwise = fails(401);
    expect((await predict()).reasoning).toMatch(/^预设结果.*以上为预设内容\(fallback\)。$/);
    const options = (await explore()).slice(0, -1);
    expect(options.length).toBeGreaterThan(0);
    for (const { option } of options) expect(option.reasoning).toMatch(/以上为预设内容\(fallback\)。$/);
  });

  it('a redirect is not followed', async () => {
    ai.fake.otherwise = fails(307, { headers: { location: 'http://127.0.0.1:9/elsewhere' } });
    expect(isPreset(await predict())).toBe(true);
    expect(ai.fake.received).toHaveLength(1);
  });

  it('every one of these calls left its audit row, and tokens are summed over attempts', async () => {
    const before = (await ai.audits()).length;
    ai.fake.script.push(answers({ wrong: true }, { tokens: 11 }));
    ai.fake.otherwise = answers(PREDICTION, { tokens: 31 });
    await predict();
    ai.fake.reset(fails(401));
    await predict();
    const rows = (await ai.audits()).slice(before);
    expect(rows.map(({ capability, tokens_used }) => [capability, tokens_used])).toEqual([
      ['predict-formula', 42],
      ['predict-formula', null],
    ]);
    const { model } = ai.app.app.get(AiStrategy).named(provider)!;
    expect(rows.map(({ model_name }) => model_name)).toEqual([model, model]);
  });

  it('extraction answers from the provider', async () => {
    ai.fake.otherwise = answers(EXTRACTION);
    const response = await ai.user
      .post('/api/ai/extract-formula', { text: `水 余量 甘油 ${++prompts}` })
      .expect(200);
    expect(response.headers['x-ai-source']).toBe(provider);
    expect(response.body.data).toEqual([
      { inciName: 'Aqua', chineseName: '水', percentage: 95, phase: 'A', processNotes: '' },
      { inciName: 'Glycerin', chineseName: '甘油', percentage: 5, phase: 'A', processNotes: '' },
    ]);
  });

  it('extraction makes numbers of amounts, and fills a name only where the model gave none', async () => {
    const [inciName, chineseName] = ['Fillin Extract', '待填提取物'];
    await ai.user.post('/api/ingredients', { inciName, chineseName, functionCategory: 'other' }).expect(201);
    const line = (more: object) => ({
      inciName: '',
      chineseName: '',
      percentage: null,
      phase: 'A',
      processNotes: '',
      ...more,
    });
    ai.fake.otherwise = answers({
      ingredients: [
        line({ inciName: 'Aqua', chineseName: '水', amount: 'q.s. to 200', unit: 'g', balance: true }),
        line({ inciName, amount: 10, unit: 'g' }),
        line({ chineseName, amount: '4-8', unit: 'g' }),
        line({ inciName, chineseName: '文中自有之名', percentage: 1 }),
        line({ inciName: 'Name of the Text', chineseName, percentage: 1 }),
      ],
    });
    const { body } = await ai.user
      .post('/api/ai/extract-formula', { text: `水 加至200克 ${++prompts}` })
      .expect(200);
    const note = '原文用量范围 4-8,取中值';
    const plain = { phase: 'A', processNotes: '' };
    expect(body.data).toEqual([
      { inciName: 'Aqua', chineseName: '水', percentage: 90, ...plain },
      { inciName, chineseName, percentage: 5, ...plain },
      { inciName, chineseName, percentage: 3, phase: 'A', processNotes: note },
      { inciName, chineseName: '文中自有之名', percentage: 1, ...plain },
      { inciName: 'Name of the Text', chineseName, percentage: 1, ...plain },
    ]);
  });
});
