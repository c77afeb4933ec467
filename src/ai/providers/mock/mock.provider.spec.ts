import { completionRequest } from '../../../../test/support/provider-requests';
import { MockProvider } from './mock.provider';

describe('MockProvider', () => {
  const provider = new MockProvider();

  it('stands in for all others: always there, asked for no model, in this process', async () => {
    expect(provider).toMatchObject({ name: 'mock', role: 'presets', defaultModel: 'mock' });
    expect(provider.capabilities).toEqual({ remote: false, streaming: true });
    expect(await provider.isConfigured()).toBe(true);
    expect(provider.serves()).toBe(false);
  });

  it('answers with the preset, whole or in pieces, between which others have their turn', async () => {
    const preset = { text: '字'.repeat(20_000) };
    const request = completionRequest({ preset: () => preset });
    expect(await provider.complete(request)).toEqual({ text: JSON.stringify(preset) });
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    const pieces: unknown[] = [];
    for await (const { text } of provider.stream(request)) pieces.push(text);
    isRead = true;
    expect(pieces.join('')).toBe(JSON.stringify(preset));
    expect(pieces.length).toBeGreaterThan(100);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(turns).toBeLessThan(pieces.length / 10);
  });
});
