import { TooManyRequestsError, UnavailableError } from '../common/errors/service-error';
import { ClientPlaces } from './client-places';
import { Patience, REQUEST_PATIENCE_MS } from './patience';

const PLACES = 2;
const QUEUE = 3;
const USER = 'user|lin';
const ADDRESS = 'address|10.0.0.1';

describe('client places', () => {
  let places: ClientPlaces;
  let admitted: string[];
  let refused: Error | undefined;
  const wait = (name: string, client = USER, patience = new Patience()) => {
    const admit = (error?: Error) => {
      refused = error;
      admitted.push(error ? `${name}: ${error.name}` : name);
      return !name.startsWith('gone');
    };
    return places.wait(client, admit, patience);
  };
  const takeAll = (client = USER) => {
    let taken = 0;
    while (places.take(client)) taken++;
    return taken;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    places = new ClientPlaces(PLACES, QUEUE);
    admitted = [];
  });

  afterEach(() => jest.useRealTimers());

  it('tell how many wait for one, of all clients', () => {
    for (const client of [USER, ADDRESS]) takeAll(client);
    expect(places.waitingCount).toBe(0);
    const leave = wait('1');
    wait('2');
    wait('3', ADDRESS);
    expect(places.waitingCount).toBe(3);
    leave();
    places.release(ADDRESS);
    expect(places.waitingCount).toBe(1);
  });

  it('are so many for each client, and ten times as many for an address', () => {
    expect(takeAll()).toBe(PLACES);
    expect(takeAll('user|wang')).toBe(PLACES);
    expect(takeAll(ADDRESS)).toBe(10 * PLACES);
  });

  it('go to who waits, in the order of their coming', () => {
    takeAll();
    wait('first');
    wait('second');
    expect(admitted).toEqual([]);
    places.release(USER);
    expect(admitted).toEqual(['first']);
    places.release(USER);
    expect(admitted).toEqual(['first', 'second']);
    expect(places.take(USER)).toBe(false);
    places.release(USER);
    expect(places.take(USER)).toBe(true);
  });

  it('go past those who are gone', () => {
    takeAll();
    for (const name of ['gone', 'gone too', 'third']) wait(name);
    places.release(USER);
    expect(admitted).toEqual(['gone', 'gone too', 'third']);
    wait('gone last');
    for (let n = 0; n < PLACES; n++) places.release(USER);
    expect(places.size).toBe(0);
  });

  it('no client waits for another', () => {
    takeAll();
    wait('lin');
    takeAll('user|wang');
    places.release('user|wang');
    expect(admitted).toEqual([]);
    expect(places.take('user|wang')).toBe(true);
  });

  it.each([
    [USER, QUEUE],
    [ADDRESS, 10 * QUEUE],
  ])('%s may have %d waiting, and one more is refused', (client, most) => {
    takeAll(client);
    for (let n = 0; n < most; n++) wait('x', client);
    expect(() => wait('one more', client)).toThrow(TooManyRequestsError);
    places.release(client);
    expect(() => wait('one more', client)).not.toThrow();
  });

  it('whoever leaves the queue makes room in it, and gets no place', () => {
    takeAll();
    wait('first');
    const leave = wait('second');
    wait('third');
    expect(leave()).toBe(true);
    expect(leave()).toBe(false);
    wait('fourth');
    for (let n = 0; n < 3; n++) places.release(USER);
    expect(admitted).toEqual(['first', 'third', 'fourth']);
  });

  it('whoever leaves after the turn has come has a place to give back', () => {
    takeAll();
    const leave = wait('first');
    places.release(USER);
    expect(leave()).toBe(false);
  });

  it('no wait is longer than its patience', () => {
    takeAll();
    wait('first');
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS - 1);
    expect(admitted).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(admitted).toEqual([`first: ${UnavailableError.name}`]);
    expect(refused).toMatchObject({ message: '服务繁忙,请稍后再试', headers: { 'Retry-After': '2' } });
    places.release(USER);
    expect(places.take(USER)).toBe(true);
  });

  it('what a wait has taken is missing at the next, however it ended', () => {
    const patience = new Patience();
    takeAll();
    wait('admitted', USER, patience);
    jest.advanceTimersByTime(10_000);
    places.release(USER);
    const leave = wait('left', USER, patience);
    jest.advanceTimersByTime(10_000);
    leave();
    wait('last', USER, patience);
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS - 20_001);
    expect(admitted).toEqual(['admitted']);
    jest.advanceTimersByTime(1);
    expect(admitted).toEqual(['admitted', `last: ${UnavailableError.name}`]);
  });

  it('nothing is kept of who has left: no timer, no client', () => {
    takeAll();
    wait('first');
    const leave = wait('second');
    leave();
    for (let n = 0; n < PLACES + 1; n++) places.release(USER);
    expect(places.size).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
