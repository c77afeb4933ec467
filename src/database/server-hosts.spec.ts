import { describeServers, ServerHosts } from './server-hosts';

const FIRST = 'postgres://u:p@first:5433/d';
const SECOND = 'postgres://u:p@second/d';

describe('the servers of an address', () => {
  it.each([
    ['postgres://u:secret@h:5433/d', 'h:5433/d'],
    ['postgres:///d', 'local socket/d'],
    ['postgres://u:secret@first:5433,second/d?target_session_attrs=read-write', 'first:5433, second/d'],
  ])('%s is described without its password', (url, described) => {
    expect(describeServers(url)).toBe(described);
  });
});

describe('of several servers', () => {
  const told: string[] = [];
  /** What each of them says; absent: it never answers. */
  let states: Record<string, 'writable' | 'standby' | 'away' | undefined>;
  let asked: string[];
  let time: number;
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  const hosts = (...addresses: string[]) =>
    new ServerHosts(
      addresses,
      (message) => told.push(message),
      () => time,
      (address) => {
        asked.push(address);
        const state = states[address];
        if (state === undefined) return new Promise(() => undefined);
        return state === 'away' ? Promise.reject(away) : Promise.resolve(state === 'standby');
      },
    );

  const first = { host: 'first', port: 5433 };
  const second = { host: 'second', port: 5432 };

  beforeEach(() => {
    told.length = 0;
    asked = [];
    time = 0;
    states = { [FIRST]: 'writable', [SECOND]: 'standby' };
  });

  it.each<[string, typeof states, object]>([
    ['the one that takes writes', { [FIRST]: 'standby', [SECOND]: 'writable' }, second],
    ['the other one where one is away', { [FIRST]: 'away', [SECOND]: 'writable' }, second],
    ['the other one where one never answers', { [SECOND]: 'writable' }, second],
    ['the first that answers where both do', { [FIRST]: 'writable', [SECOND]: 'writable' }, first],
  ])('%s is taken', async (_, now, host) => {
    states = now;
    expect(await hosts(FIRST, SECOND).writable()).toEqual(host);
    expect(told).toEqual([]);
  });

  it('an address in brackets, or with signs that are written otherwise, is that of a host', async () => {
    const addresses = ['postgres://[::1]:5434/d', 'postgres://%2Frun%2Fpostgresql/d'];
    states = { [addresses[0]!]: 'writable', [addresses[1]!]: 'standby' };
    expect(await hosts(...addresses).writable()).toEqual({ host: '::1', port: 5434 });
    states = { [addresses[0]!]: 'standby', [addresses[1]!]: 'writable' };
    expect(await hosts(...addresses).writable()).toEqual({ host: '/run/postgresql', port: 5432 });
  });

  it.each([
    ['postgres://first/d?port=6432', { host: 'first', port: 6432 }],
    ['postgres://first:5433/d?host=%2Frun%2Fpostgresql', { host: '/run/postgresql', port: 5433 }],
  ])('%s is connected to where it was asked', async (address, host) => {
    states = { [address]: 'writable', [SECOND]: 'standby' };
    expect(await hosts(address, SECOND).writable()).toEqual(host);
  });

  it('connections that are made together ask once, and within a second of the answer not at all', async () => {
    const servers = hosts(FIRST, SECOND);
    await Promise.all([servers.writable(), servers.writable()]);
    time = 999;
    await servers.writable();
    expect(asked).toEqual([FIRST, SECOND]);
    time = 1000;
    await servers.writable();
    expect(asked).toHaveLength(4);
  });

  it('another one is taken after a failover, which is told once', async () => {
    const servers = hosts(FIRST, SECOND);
    await servers.writable();
    states = { [FIRST]: 'away', [SECOND]: 'writable' };
    expect(await servers.writable()).toEqual(first);
    servers.forget();
    expect(await servers.writable()).toEqual(second);
    time = 2000;
    expect(await servers.writable()).toEqual(second);
    expect(told).toEqual(['The database is now at second:5432']);
  });

  it('the one of before stays while it takes writes, though another one does too', async () => {
    states = { [FIRST]: 'standby', [SECOND]: 'writable' };
    const servers = hosts(FIRST, SECOND);
    await servers.writable();
    states = { [FIRST]: 'writable', [SECOND]: 'writable' };
    time = 1000;
    expect(await servers.writable()).toEqual(second);
  });

  it('one of before that falls silent has a second, then another one is taken', async () => {
    jest.useFakeTimers();
    try {
      const servers = hosts(FIRST, SECOND);
      await servers.writable();
      states = { [SECOND]: 'writable' };
      time = 1000;
      const found = jest.fn();
      void servers.writable().then(found);
      await jest.advanceTimersByTimeAsync(999);
      expect(found).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      expect(found).toHaveBeenCalledWith(second);
    } finally {
      jest.useRealTimers();
    }
  });

  it('one that is silent on one connection, and answers on a later one, is found', async () => {
    jest.useFakeTimers();
    try {
      states = { [SECOND]: 'away' };
      const found = jest.fn();
      void hosts(FIRST, SECOND).writable().then(found);
      await jest.advanceTimersByTimeAsync(499);
      states = { [FIRST]: 'writable' };
      expect(found).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      expect(found).toHaveBeenCalledWith(first);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(asked).toEqual([FIRST, SECOND, FIRST]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('one that stays silent is asked no more when another was found', async () => {
    jest.useFakeTimers();
    try {
      states = { [SECOND]: 'writable' };
      await hosts(FIRST, SECOND).writable();
      await jest.advanceTimersByTimeAsync(10_000);
      expect(asked).toEqual([FIRST, SECOND]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('where none takes writes, the error is that of one that is away, else that all are standbys', async () => {
    states = { [FIRST]: 'standby', [SECOND]: 'away' };
    await expect(hosts(FIRST, SECOND).writable()).rejects.toBe(away);
    states = { [FIRST]: 'standby', [SECOND]: 'standby' };
    await expect(hosts(FIRST, SECOND).writable()).rejects.toMatchObject({
      code: '57P03',
      message: 'None of the servers of DATABASE_URL takes writes',
    });
  });

  it('a standby is taken that is promoted while another server is silent', async () => {
    states = { [SECOND]: 'standby' };
    const found = hosts(FIRST, SECOND).writable();
    await new Promise(setImmediate);
    expect(asked).toEqual([FIRST, SECOND]);
    states = { [SECOND]: 'writable' };
    expect(await found).toEqual(second);
    expect(asked).toEqual([FIRST, SECOND, SECOND]);
  });

  it('a search that failed is made again', async () => {
    states = { [FIRST]: 'away', [SECOND]: 'away' };
    const servers = hosts(FIRST, SECOND);
    await expect(servers.writable()).rejects.toBe(away);
    states = { [FIRST]: 'writable', [SECOND]: 'away' };
    expect(await servers.writable()).toEqual(first);
  });
});
