import { Module } from '@nestjs/common';
import { AccessPolicy, CUSTOM_ACCESS_POLICY, type CurrentUser, type ReadableRecords } from '../../src';
import { SharedCalls } from '../../src/ai/pipeline/cache.interceptor';
import { AiAuditRepository } from '../../src/ai/pipeline/audit/ai-audit.repository';
import { messagesOf } from '../support/event-stream';
import { type Account } from '../support/app';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { answers, fails } from '../support/fake-providers';
import { createIngredient } from '../support/factories';
import { option, PREDICTION } from '../support/fake-providers/sample-answers';

let prompts = 0;
const newLines = () => ({ ingredients: [{ name: `成分${++prompts}`, percentage: 5, category: 'other' }] });

describe('answers that are shared', () => {
  let ai: AiApp;
  let second: Account;

  beforeAll(async () => {
    ai = await bootAiApp('alpha');
    second = await ai.app.register();
  });
  afterAll(() => ai.close());
  beforeEach(() => ai.fake.reset(answers(PREDICTION)));

  const predict = (body: object, client = ai.user) =>
    client.post('/api/ai/predict-formula', body).buffer(true).expect(200);
  /** More than one account may have open at once. */
  const fortyTimes = (body: object) =>
    Promise.all(Array.from({ length: 40 }, (_, at) => predict(body, at % 2 ? second : ai.user)));
  /** Resolves when so many calls have joined, counted from now on. */
  const joined = async (count: number) => {
    const join = jest.spyOn(SharedCalls.prototype, 'join');
    while (join.mock.calls.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    join.mockRestore();
  };
  const answerOf = ({ text }: { text: string }) =>
    JSON.parse(messagesOf(text)[0].content) as typeof PREDICTION;

  it('a prompt asked again is answered from memory, says so, and is audited', async () => {
    const body = newLines();
    const first = await predict(body);
    const before = await ai.audits();
    const second = await predict(body);
    expect(answerOf(second)).toEqual(answerOf(first));
    expect(second.headers['x-ai-source']).toBe('cache');
    expect(ai.fake.received).toHaveLength(1);
    const rows = (await ai.audits()).slice(before.length);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      capability: 'predict-formula',
      model_name: 'gpt-5.5',
      tokens_used: null,
    });
    expect(rows[0]?.prompt_hash).toBe(before.at(-1)?.prompt_hash);
  });

  it('remembers 200 answers; the least recently used one goes first', async () => {
    await ai.user.put('/api/config', {}).expect(200);
    const kept = newLines();
    const lost = newLines();
    await predict(kept);
    await predict(lost);
    const others = Array.from({ length: 199 }, newLines);
    for (const [at, other] of others.entries()) {
      await predict(other);
      if (at === 100) await predict(kept);
    }
    ai.fake.reset(answers(PREDICTION));
    for (const remembered of [kept, ...others]) {
      expect((await predict(remembered)).headers['x-ai-source']).toBe('cache');
    }
    expect(ai.fake.received).toHaveLength(0);
    await predict(lost);
    expect(ai.fake.received).toHaveLength(1);
  });

  it('40 clients with one prompt at once: one request upstream, 40 answers, 40 audit rows, its tokens counted once', async () => {
    const body = newLines();
    const before = (await ai.audits()).length;
    const all = joined(40);
    ai.fake.otherwise = async (exchange) => {
      await all;
      await answers(PREDICTION, { tokens: 123 })(exchange);
    };
    const responses = await fortyTimes(body);
    expect(ai.fake.received).toHaveLength(1);
    for (const response of responses) expect(answerOf(response)).toEqual(PREDICTION);
    const rows = (await ai.audits()).slice(before);
    expect(rows).toHaveLength(40);
    expect(rows.map((row) => row.tokens_used ?? 0).reduce((sum, tokens) => sum + tokens, 0)).toBe(123);
  });

  it('40 clients with one prompt and a failing provider: the attempts of one call, 40 presets', async () => {
    const all = joined(40);
    ai.fake.otherwise = async (exchange) => {
      await all;
      await fails(500)(exchange);
    };
    const body = newLines();
    const responses = await fortyTimes(body);
    for (const response of responses) expect(answerOf(response).reasoning).toContain('预设');
    expect(ai.fake.received).toHaveLength(4);
  });

  it('a configuration change while a call is under way: its answer is given and not remembered', async () => {
    const body = newLines();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    ai.fake.script.push(async (exchange) => {
      await released;
      await answers(PREDICTION)(exchange);
    });
    const underWay = predict(body);
    await Promise.all([
      underWay.then(
        () => undefined,
        () => undefined,
      ),
      (async () => {
        await ai.fake.arrived(1);
        await ai.user.put('/api/config', {}).expect(200);
        release();
      })(),
    ]);
    expect(answerOf(await underWay)).toEqual(PREDICTION);
    expect((await predict(body)).headers['x-ai-source']).toBeUndefined();
    expect(ai.fake.received).toHaveLength(2);
  });

  it('a call after a configuration change does not join one from before it', async () => {
    const body = newLines();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    ai.fake.script.push(async (exchange) => {
      await released;
      await answers({ ...PREDICTION, reasoning: 'old' })(exchange);
    });
    const old = predict(body).then(answerOf);
    await ai.fake.arrived(1);
    await ai.user.put('/api/config', {}).expect(200);
    expect(answerOf(await predict(body)).reasoning).toBe(PREDICTION.reasoning);
    release();
    expect((await old).reasoning).toBe('old');
    expect((await predict(body).then(answerOf)).reasoning).toBe(PREDICTION.reasoning);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('a configuration change empties the cache', async () => {
    const body = newLines();
    await predict(body);
    await ai.user.put('/api/config', {}).expect(200);
    await predict(body);
    expect(ai.fake.received).toHaveLength(2);
  });

  it('an audit row that cannot be written: the answer is given, the loss is logged as an error', async () => {
    const repository = ai.app.app.get(AiAuditRepository);
    const insert = jest.spyOn(repository, 'insert').mockRejectedValue(new Error('disk full'));
    try {
      expect(answerOf(await predict(newLines()))).toEqual(PREDICTION);
      const losses = ai.logged.filter(
        ({ level, text }) => level === 'error' && text.includes('Audit row lost'),
      );
      expect(losses).toHaveLength(1);
      expect(losses[0]?.text).toContain('disk full');
    } finally {
      insert.mockRestore();
    }
  });

  it('an audit row whose writing hangs holds no answer back, and is written in the end', async () => {
    const repository = ai.app.app.get(AiAuditRepository);
    const before = (await ai.audits()).length;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const real = repository.insert.bind(repository);
    const insert = jest.spyOn(repository, 'insert').mockImplementation(async (records) => {
      await released;
      await real(records);
    });
    try {
      expect(answerOf(await predict(newLines()))).toEqual(PREDICTION);
      expect(insert).toHaveBeenCalledTimes(1);
    } finally {
      release();
      insert.mockRestore();
    }
    while ((await ai.audits()).length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await ai.audits()).toHaveLength(before + 1);
  });
});

/** An ingredient with a supplier is for the user alone whose id that is. */
class SupplierPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;

  override readable(): ReadableRecords {
    return {
      types: ['text'],
      values: ({ id }: CurrentUser) => [id],
      conditions: { ingredient: (row, [user]) => `(${row}.supplier IS NULL OR ${row}.supplier = ${user})` },
    };
  }
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: SupplierPolicy }] })
class SuppliersModule {}

describe('the same request of two users, of whom one may not see an ingredient', () => {
  let ai: AiApp;
  let stranger: Account;
  let name = '';

  beforeAll(async () => {
    ai = await bootAiApp('alpha', { extensions: [SuppliersModule] });
    stranger = await ai.app.register();
  });
  afterAll(() => ai.close());
  beforeEach(async () => {
    name = `Secretine ${++prompts}`;
    await createIngredient(ai.user, {
      inciName: name,
      chineseName: `密素${prompts}`,
      functionCategory: 'other',
      unit: 'kg',
      unitPrice: 1000,
      supplier: ai.user.id,
    });
  });

  /** At the same time, then one after the other, whoever comes first. */
  const ORDERS: Record<string, (ask: (user: Account) => Promise<string>) => Promise<[string, string]>> = {
    'at once, its owner first': (ask) => Promise.all([ask(ai.user), ask(stranger)]),
    'at once, the other first': async (ask) => {
      const [other, owner] = await Promise.all([ask(stranger), ask(ai.user)]);
      return [owner, other];
    },
    'its owner first': async (ask) => [await ask(ai.user), await ask(stranger)],
    'the other first': async (ask) => {
      const other = await ask(stranger);
      return [await ask(ai.user), other];
    },
  };
  const orders = Object.entries(ORDERS);

  const predicted = async (user: Account) => {
    const { text } = await user
      .post('/api/ai/predict-formula', { ingredients: [{ name, percentage: 100, category: 'other' }] })
      .buffer(true)
      .expect(200);
    const { costEstimate, reasoning } = JSON.parse(messagesOf(text)[0].content) as typeof PREDICTION;
    return `${costEstimate} ${reasoning}`;
  };

  const explored = async (user: Account, change: object = { excludeIngredients: [`密素${prompts}`] }) => {
    const baseIngredients = [
      { name, percentage: 50 },
      { name: '水', percentage: 50 },
    ];
    const { text } = await user
      .post('/api/ai/explore-formula', { baseIngredients, ...change })
      .buffer(true)
      .expect(200);
    return messagesOf(text)
      .map((message) => JSON.stringify(message))
      .join();
  };

  it.each(orders)(
    'a prediction without its provider has the price for its owner only: %s',
    async (_, both) => {
      ai.fake.reset(fails(500));
      const [owner, other] = await both(predicted);
      expect(owner).toContain('1000 ');
      expect(other).not.toContain('1000 ');
      expect(other).toContain(`目录中没有的名称:${name}`);
    },
  );

  it.each(orders)('presets of an exploration know its other name for its owner only: %s', async (_, both) => {
    ai.fake.reset(fails(500));
    const [owner, other] = await both(explored);
    expect(owner).toContain(`"ingredient":"${name}","oldPercentage":50,"newPercentage":0`);
    expect(other).not.toContain(`"ingredient":"${name}","oldPercentage":50,"newPercentage":0`);
  });

  it.each(orders)('options of a model are measured by the prices of who asks: %s', async (_, both) => {
    const changes = [
      { action: 'reduce', ingredient: name, oldPercentage: 50, newPercentage: 40 },
      { action: 'add', ingredient: '水', oldPercentage: 50, newPercentage: 60 },
    ];
    await createIngredient(ai.user, {
      inciName: 'Aqua',
      chineseName: '水',
      functionCategory: 'other',
      unit: 'kg',
      unitPrice: 1,
    });
    ai.fake.reset(answers({ options: [option('A', { changes })] }));
    const [owner, other] = await both((user) => explored(user, { costLimit: 20 }));
    expect(owner).not.toContain('"name":"A"');
    expect(other).toContain('"name":"A"');
  });
});
