import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { messagesOf } from '../support/event-stream';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { answers, REMOTE_PROVIDERS, speaksOnly } from '../support/fake-providers';
import { option, PREDICTION } from '../support/fake-providers/sample-answers';

let prompts = 0;
const newAim = () => ({ costLimit: 1000 + ++prompts });

/** A promise to be resolved by the test. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe.each(REMOTE_PROVIDERS)('streams of %s', (provider) => {
  let ai: AiApp;

  beforeAll(async () => {
    ai = await bootAiApp(provider);
  });
  afterAll(() => ai.close());
  beforeEach(() => ai.fake.reset());

  /** A client that reads by hand: supertest gives a response only when it is whole. */
  const openStream = (
    path: string,
    body: object,
  ): Promise<{ response: IncomingMessage; leave: () => void }> =>
    new Promise((resolve, reject) => {
      const { port } = ai.app.app.getHttpServer().address() as AddressInfo;
      const request = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path,
          method: 'POST',
          headers: { authorization: `Bearer ${ai.user.token}`, 'content-type': 'application/json' },
        },
        (response) => {
          response.setEncoding('utf8');
          response.on('error', () => undefined);
          resolve({ response, leave: () => request.destroy() });
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify(body));
    });

  const openExplore = (body: object) => openStream('/api/ai/explore-formula', body);

  const nextChunk = (response: IncomingMessage): Promise<string> =>
    new Promise((resolve) => response.once('data', resolve));

  it('hands on the first option before the provider has finished its answer', async () => {
    const rest = gate();
    const text = JSON.stringify({ options: [option('first'), option('second')] });
    const firstPieces = Math.ceil((text.indexOf('second') + 10) / 20);
    ai.fake.otherwise = answers(text, {
      pieceSize: 20,
      beforePiece: (sent) => (sent < firstPieces ? undefined : rest.opened),
    });
    const { response } = await openExplore(newAim());
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/event-stream');
    const first = await nextChunk(response);
    expect(messagesOf(first)).toEqual([{ type: 'option', option: option('first') }]);
    // The provider is still in the middle of its answer: it goes on only now.
    rest.open();
    let remaining = '';
    for await (const chunk of response) remaining += chunk;
    expect(messagesOf(remaining)).toEqual([{ type: 'option', option: option('second') }, { type: 'done' }]);
  });

  it('opens the stream before there is anything to say', async () => {
    const rest = gate();
    ai.fake.otherwise = answers({ options: [] }, { beforePiece: () => rest.opened });
    const { response } = await openExplore(newAim());
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-ai-source']).toBeUndefined();
    rest.open();
    expect(messagesOf(await nextChunk(response))).toEqual([{ type: 'done' }]);
  });

  it('a client that goes away in mid-stream: the request upstream is aborted, and the call is audited', async () => {
    const text = JSON.stringify({ options: [option('first'), option('second')] });
    ai.fake.otherwise = answers(text, {
      pieces: Math.ceil((text.indexOf('second') + 10) / 40),
      then: 'hang',
    });
    const before = (await ai.audits()).length;
    const { response, leave } = await openExplore(newAim());
    await nextChunk(response);
    expect(await ai.audits()).toHaveLength(before);
    leave();
    await ai.fake.received[0]!.aborted;
    while ((await ai.audits()).length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await ai.audits()).slice(before)).toMatchObject([{ capability: 'explore-formula' }]);
  });

  it('a provider that hangs after a first option: one error ends the stream, and it is aborted upstream', async () => {
    const text = JSON.stringify({ options: [option('first'), option('second')] });
    const pieces = Math.ceil((text.indexOf('second') + 10) / 40);
    ai.fake.otherwise = answers(text, { pieces, then: 'hang' });
    const { response } = await openExplore(newAim());
    expect(messagesOf(await nextChunk(response))).toEqual([{ type: 'option', option: option('first') }]);
    ai.time.advance(30_000);
    let remaining = '';
    for await (const chunk of response) remaining += chunk;
    expect(messagesOf(remaining)).toEqual([{ type: 'error', content: 'AI 服务中断,请重试' }]);
    await ai.fake.received[0]!.aborted;
    expect(ai.fake.received).toHaveLength(1);
  });

  it('a client that goes away before a whole answer has come: the request upstream is aborted', async () => {
    const { leave } = await openStream('/api/ai/predict-formula', {
      ingredients: [{ name: `成分${++prompts}`, percentage: 5, category: 'other' }],
    });
    await ai.fake.arrived(1);
    leave();
    await ai.fake.received[0]!.aborted;
  });

  it('a client that goes away while another waits for the same answer: the other one gets it', async () => {
    const rest = gate();
    const aim = newAim();
    ai.fake.otherwise = answers({ options: [option('shared')] }, { beforePiece: () => rest.opened });
    const before = (await ai.audits()).length;
    const leaver = await openExplore(aim);
    const stayer = await openExplore(aim);
    leaver.leave();
    // Its row says that the service has noticed; only then is there an answer.
    while ((await ai.audits()).length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    rest.open();
    let text = '';
    for await (const chunk of stayer.response) text += chunk;
    expect(messagesOf(text)).toEqual([{ type: 'option', option: option('shared') }, { type: 'done' }]);
    expect(ai.fake.received).toHaveLength(1);
  });

  it('a late client of a shared stream gets the options that were there before it', async () => {
    const rest = gate();
    const aim = newAim();
    const text = JSON.stringify({ options: [option('first'), option('second')] });
    const firstPieces = Math.ceil((text.indexOf('second') + 10) / 40);
    ai.fake.otherwise = answers(text, {
      beforePiece: (sent) => (sent < firstPieces ? undefined : rest.opened),
    });
    const early = await openExplore(aim);
    expect(messagesOf(await nextChunk(early.response))).toEqual([
      { type: 'option', option: option('first') },
    ]);
    const late = await openExplore(aim);
    expect(messagesOf(await nextChunk(late.response))).toEqual([{ type: 'option', option: option('first') }]);
    rest.open();
    for (const { response } of [early, late]) {
      expect(messagesOf(await nextChunk(response))[0]).toEqual({ type: 'option', option: option('second') });
    }
    expect(ai.fake.received).toHaveLength(1);
  });

  it('drops options that break the request, and gives the others', async () => {
    const changes = (ingredient: string, newPercentage: number) => [
      { action: 'reduce', ingredient, oldPercentage: 5, newPercentage },
    ];
    const balanced = [
      ...changes('酒精', 0),
      { action: 'add', ingredient: '水', oldPercentage: 90, newPercentage: 95 },
    ];
    ai.fake.otherwise = answers({
      options: [
        option('too dear', { predictedMetrics: { costEstimate: 99, stabilityScore: 80 } }),
        option('keeps what must go', { changes: changes('酒精', 2) }),
        option('takes what must stay', { changes: [...balanced, ...changes('甘油', 0)] }),
        option('does not add up', { changes: changes('酒精', 0) }),
        option('right', { changes: balanced }),
      ],
    });
    const { text } = await ai.user
      .post('/api/ai/explore-formula', {
        costLimit: 50 + ++prompts / 1000,
        excludeIngredients: ['酒精'],
        keepIngredients: ['甘油'],
        baseIngredients: [
          { name: '水', percentage: 90 },
          { name: '甘油', percentage: 5 },
          { name: '酒精', percentage: 5 },
        ],
      })
      .buffer(true)
      .expect(200);
    expect(messagesOf(text).map((message) => message.option?.name ?? message.type)).toEqual([
      'right',
      'done',
    ]);
  });

  it('drops every option where all break the request, and asks for no others', async () => {
    const dear = { predictedMetrics: { costEstimate: 5000, stabilityScore: 80 } };
    ai.fake.otherwise = answers({ options: [option('a', dear), option('b', dear)] });
    const { text } = await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
    expect(messagesOf(text)).toEqual([{ type: 'done' }]);
    expect(ai.fake.received).toHaveLength(1);
  });

  it('leaves out an option that breaks the schema and does not remember that answer', async () => {
    const aim = newAim();
    ai.fake.otherwise = answers({ options: [option('good'), { name: 'bad' }] });
    const post = () => ai.user.post('/api/ai/explore-formula', aim).buffer(true).expect(200);
    expect(messagesOf((await post()).text)).toEqual([
      { type: 'option', option: option('good') },
      { type: 'done' },
    ]);
    await post();
    expect(ai.fake.received).toHaveLength(2);
  });

  it.each([
    ['the bare array', JSON.stringify([option('a')])],
    ['JSON inside a code fence', '```json\n' + JSON.stringify({ options: [option('a')] }, null, 2) + '\n```'],
    ['JSON after a sentence', `Here you are: ${JSON.stringify({ options: [option('a')] })}`],
  ])('understands %s', async (_, text) => {
    ai.fake.otherwise = answers(text);
    const response = await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
    expect(messagesOf(response.text)).toEqual([{ type: 'option', option: option('a') }, { type: 'done' }]);
  });

  it('understands plain JSON where a stream was asked for', async () => {
    ai.fake.otherwise = answers({ options: [option('a')] }, { plain: true });
    const response = await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
    expect(messagesOf(response.text)).toEqual([{ type: 'option', option: option('a') }, { type: 'done' }]);
  });

  describe('ways of structured output', () => {
    // A new key makes a new client, which has yet to find out what the server knows.
    beforeEach(() => ai.configure({ key: `sk-${++prompts}` }));
    afterAll(() => ai.configure({ key: '' }));
    const formats = () => ai.fake.received.map(({ asked }) => ai.fake.protocol.formatOf(asked));

    it('finds the one that a server knows, and stays with it', async () => {
      ai.fake.otherwise = speaksOnly(['text'], answers(PREDICTION));
      const post = (name: string) =>
        ai.user
          .post('/api/ai/predict-formula', { ingredients: [{ name, percentage: 1, category: 'other' }] })
          .buffer(true)
          .expect(200);
      expect(JSON.parse(messagesOf((await post('a')).text)[0].content)).toEqual(PREDICTION);
      expect(formats()).toEqual(ai.fake.protocol.formats);
      await post('b');
      expect(formats().slice(ai.fake.protocol.formats.length)).toEqual(['text']);
      expect(JSON.stringify(ai.fake.received.at(-1)?.asked)).toContain('JSON Schema');
    });

    it('uses the second one where the first is refused', async () => {
      const [, second] = ai.fake.protocol.formats;
      if (second === undefined) return; // A provider may know one way only.
      ai.fake.otherwise = speaksOnly([second], answers({ options: [option('a')] }));
      const response = await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
      expect(messagesOf(response.text)).toEqual([{ type: 'option', option: option('a') }, { type: 'done' }]);
      expect(ai.fake.received).toHaveLength(2);
    });

    it('does not take a 400 of every way for a reason to stay with the last one', async () => {
      ai.fake.otherwise = speaksOnly([], answers(PREDICTION));
      await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
      expect(formats()).toEqual(ai.fake.protocol.formats);
      ai.fake.reset(answers({ options: [] }));
      await ai.user.post('/api/ai/explore-formula', newAim()).buffer(true).expect(200);
      expect(formats()).toEqual(ai.fake.protocol.formats.slice(0, 1));
    });
  });

  it('ends open streams with an error when the service stops', async () => {
    const other = await bootAiApp(provider);
    const { port } = other.app.app.getHttpServer().address() as AddressInfo;
    const text = new Promise<string>((resolve, reject) => {
      const request = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: '/api/ai/explore-formula',
          method: 'POST',
          headers: { authorization: `Bearer ${other.user.token}`, 'content-type': 'application/json' },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
          response.on('end', () => resolve(received));
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify(newAim()));
    });
    await other.fake.arrived(1);
    await other.close();
    expect(messagesOf(await text)).toEqual([{ type: 'error', content: '服务正在停止,请稍后重试' }]);
  });
});
