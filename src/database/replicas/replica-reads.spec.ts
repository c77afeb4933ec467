import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Pool } from 'pg';
import { runInRequest, setCurrentUser } from '../../common/request-context';
import { ManualClock } from '../../../test/support/clock';
import { ConnectionShares } from '../connection-shares';
import { ReplicaFault, ReplicaReads, type SharedPositions } from './replica-reads';
import { SETTLED_MS } from './replica-selector';
import { type RepeatedLook, SilentServerError } from './repeated-look';
import type { PrimaryRow, ReplicaRow } from './replica-statements';

const USER = { id: 'lin', username: 'lin', role: 'engineer' } as const;
const CLUSTER = '7712/lab';
const row = (lsn: number) => ({
  lsn: `0/${lsn.toString(16).toUpperCase()}`,
  timeline: '1',
  cluster: CLUSTER,
});

/** Looks that answer this, or fail. Who asks while one is under way gets its answer, as of the real ones. */
function looks<Row>(answer: () => Row | Error | Promise<Row>) {
  let count = 0;
  let underWay: Promise<Row> | undefined;
  const ask = async () => {
    count += 1;
    const given = await answer();
    if (given instanceof Error) throw given;
    return given;
  };
  const look = () => (underWay ??= ask().finally(() => (underWay = undefined)));
  return {
    look: { look, close: () => undefined } as unknown as RepeatedLook<Row & object>,
    times: () => count,
  };
}

/** What is done in a request of this user. */
function inRequest<T>(user: typeof USER | undefined, work: () => Promise<T>): Promise<T> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return new Promise((resolve, reject) => {
    runInRequest('r', response, () => {
      if (user) setCurrentUser(user);
      work().then(resolve, reject);
    });
  });
}

const asUser = <T>(work: () => Promise<T>) => inRequest(USER, work);

const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('reads from replicas', () => {
  let clock: ManualClock;
  let reads: ReplicaReads;
  let primaryAt: number;
  /** What a look at the primary waits for. */
  let primaryAnswers: Promise<unknown> | undefined;
  let replica: ReplicaRow | Error;
  let kept: Map<string, string>;
  /** In place of what is kept. */
  let found: (() => string | undefined) | undefined;
  let isKept: boolean;
  let asked: string[];
  let destroyed: number;
  let timesLooked: () => number;

  const positions: SharedPositions = {
    keep: (user, text) => {
      asked.push('keep');
      if (isKept) kept.set(user, text);
      return Promise.resolve(isKept);
    },
    find: (user) => {
      asked.push('find');
      return Promise.resolve(found ? found() : (kept.get(user) ?? null));
    },
  };
  const replicaAt = (lsn: number): ReplicaRow => ({ ...row(lsn), isStandby: true });
  const read = (ask = () => Promise.resolve('rows')) => reads.read(ask);
  const written = (lsn: number) => reads.written(() => Promise.resolve([row(lsn)]));

  beforeEach(async () => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'],
    });
    clock = new ManualClock();
    primaryAt = 100;
    primaryAnswers = undefined;
    replica = replicaAt(100);
    kept = new Map();
    found = undefined;
    isKept = true;
    asked = [];
    destroyed = 0;
    const stream = { destroy: () => (destroyed += 1) };
    const pool = { _clients: [{ connection: { stream } }] } as unknown as Pool;
    const shares = new ConnectionShares({ group: 1, family: 1, all: 1, reserved: new Set() });
    const ofReplica = looks<ReplicaRow>(() => replica);
    timesLooked = ofReplica.times;
    reads = new ReplicaReads(
      [{ name: 'r:1', pool, shares, look: ofReplica.look }],
      looks<PrimaryRow>(() => (primaryAnswers ?? Promise.resolve()).then(() => row(primaryAt))).look,
      positions,
      clock,
      () => undefined,
    );
    reads.open();
    await turns();
  });
  afterEach(() => {
    reads.close();
    jest.useRealTimers();
  });

  const lookAround = async () => {
    jest.advanceTimersByTime(1000);
    await turns();
  };

  it('are answered there for who has written nothing', async () => {
    await lookAround();
    expect(await asUser(() => read())).toEqual({ answer: 'rows' });
    expect(reads.figures).toEqual([{ name: 'r:1', isUsable: true, lagBytes: 0, answered: 1, failed: 0 }]);
  });

  it('of nobody are the primary’s, and ask nothing', async () => {
    await lookAround();
    expect(await read()).toBeUndefined();
    expect(await inRequest(undefined, () => read())).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('wait for what their user has written', async () => {
    await lookAround();
    await asUser(() => written(120));
    expect(await asUser(() => read())).toBeUndefined();
    replica = replicaAt(120);
    await lookAround();
    expect(await asUser(() => read())).toEqual({ answer: 'rows' });
  });

  it.each([[undefined], ['no position']])('are the primary’s where the kept position is %p', async (of) => {
    await lookAround();
    found = () => of;
    expect(await asUser(() => read())).toBeUndefined();
  });

  it('ask nothing where no replica is read', async () => {
    await lookAround();
    replica = new Error('away');
    await lookAround();
    expect(await asUser(() => read())).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('that the replica fails are the primary’s; other errors are thrown', async () => {
    await lookAround();
    expect(
      await asUser(() => read(() => Promise.reject(new ReplicaFault(new Error('lost'))))),
    ).toBeUndefined();
    expect(reads.figures[0]).toMatchObject({ answered: 0, failed: 1 });
    await expect(asUser(() => read(() => Promise.reject(new Error('ours'))))).rejects.toThrow('ours');
  });

  it('are fresh as of the beginning of a look at the primary, however long its answer took', async () => {
    let answer!: () => void;
    primaryAnswers = new Promise<void>((resolve) => (answer = resolve));
    await lookAround();
    for (let seconds = 0; seconds < 6; seconds++) {
      clock.advance(1000);
      await lookAround();
    }
    primaryAnswers = new Promise(() => undefined);
    answer();
    await turns();
    await lookAround();
    // Of what the primary had six seconds ago.
    expect(reads.figures[0]).toMatchObject({ isUsable: false, lagBytes: 0 });
  });

  it('under way are given up, and their connections, when the replica is silent', async () => {
    await lookAround();
    const answer = asUser(() => read(() => new Promise(() => undefined)));
    await turns();
    replica = new SilentServerError();
    await lookAround();
    expect(await answer).toBeUndefined();
    expect(destroyed).toBeGreaterThan(0);
  });

  it('statement timeouts are no fault of a replica', () => {
    expect(ReplicaFault.isOne({ code: '57014' })).toBe(false);
    // A conflict with what is replayed; a server that ends; one that is away.
    for (const code of ['40001', '57P01', 'ECONNREFUSED', undefined]) {
      expect(ReplicaFault.isOne({ code })).toBe(true);
    }
  });

  it('a write of nobody asks for no position', async () => {
    const ask = jest.fn();
    await reads.written(ask);
    expect(ask).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
  });

  it('a write whose position is not kept is acknowledged when the replica has it', async () => {
    isKept = false;
    let isAcknowledged = false;
    const write = asUser(() => written(130)).then(() => (isAcknowledged = true));
    await turns();
    expect(isAcknowledged).toBe(false);
    replica = replicaAt(130);
    await write;
    expect(timesLooked()).toBeGreaterThan(1);
  });

  it.each([
    ['is not kept', () => Promise.resolve([row(130)])],
    ['cannot be asked for', () => Promise.reject(new Error('lost'))],
  ])('a write whose position %s is acknowledged when no replica without it is read', async (_, ask) => {
    isKept = false;
    replica = new Error('away');
    let isAcknowledged = false;
    const write = asUser(() => reads.written(ask)).then(() => (isAcknowledged = true));
    await turns();
    clock.advance(SETTLED_MS - 1);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(isAcknowledged).toBe(false);
    clock.advance(1);
    await write;
  });
});
