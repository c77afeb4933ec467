import { setTimeout as pause } from 'node:timers/promises';
import { messagesOf } from '../support/event-stream';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { answers } from '../support/fake-providers';
import { PREDICTION } from '../support/fake-providers/sample-answers';

describe('the rate of provider requests', () => {
  let ai: AiApp;

  beforeAll(async () => {
    ai = await bootAiApp('alpha', { realTime: true });
  });
  afterAll(() => ai.close());

  it('60 distinct prompts at once: never more than 10 in any sliding second, none lost', async () => {
    ai.fake.reset(answers(PREDICTION));
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        ai.user
          .post('/api/ai/predict-formula', {
            ingredients: [{ name: `成分${number}`, percentage: 5, category: 'other' }],
          })
          .buffer(true)
          .expect(200),
      ),
    );
    for (const { text } of responses) expect(JSON.parse(messagesOf(text)[0].content)).toEqual(PREDICTION);
    const times = ai.fake.received.map(({ at }) => at).sort((a, b) => a - b);
    expect(times).toHaveLength(60);
    for (const [index, at] of times.entries()) {
      const later = times[index + 10];
      // The eleventh request after any other comes at least a second later, as the provider sees it.
      if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(1000);
    }
  });

  it('what still waits for it when mock mode is switched on asks nobody', async () => {
    ai.fake.reset(answers(PREDICTION));
    const waiting = Array.from({ length: 30 }, async (_, number) => {
      const ingredients = [{ name: `等待${number}`, percentage: 5, category: 'other' }];
      return ai.user.post('/api/ai/predict-formula', { ingredients }).buffer(true).expect(200);
    });
    const answered = Promise.all(waiting);
    while (ai.fake.received.length < 10) await pause(5);
    await ai.configure({ aiMock: 'true' });
    // What was on its way arrives.
    await pause(100);
    const sent = ai.fake.received.length;
    await answered;
    await ai.configure({ aiMock: '' });
    expect(ai.fake.received).toHaveLength(sent);
  });
});
