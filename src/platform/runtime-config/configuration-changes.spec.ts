import { ConfigurationChanges } from './configuration-changes';

describe('ConfigurationChanges', () => {
  it('an announcement is over when everybody has acted on it', async () => {
    const changes = new ConfigurationChanges();
    const acted: string[] = [];
    let act = (): void => undefined;
    changes.subscribe(() => void acted.push('at once'));
    changes.subscribe(async () => {
      await new Promise<void>((resolve) => (act = resolve));
      acted.push('later');
    });
    let over = false;
    const announced = changes.announce().then(() => (over = true));
    await new Promise(setImmediate);
    expect({ acted, over }).toEqual({ acted: ['at once'], over: false });
    act();
    await announced;
    expect(acted).toEqual(['at once', 'later']);
  });

  it('who has ended the subscription hears no more, and the others still do', async () => {
    const changes = new ConfigurationChanges();
    let heard = 0;
    let heardByOther = 0;
    changes.subscribe(() => void (heardByOther += 1));
    const end = changes.subscribe(() => void (heard += 1));
    await changes.announce();
    end();
    await changes.announce();
    expect({ heard, heardByOther }).toEqual({ heard: 1, heardByOther: 2 });
  });
});
