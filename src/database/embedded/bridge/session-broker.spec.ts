import { SessionBroker } from './session-broker.cjs';
import { Frontend, cString, message, query, readCString, readyForQuery, sync } from './wire.cjs';

/**
 * A session that only keeps book: which messages reached it in which order, and whether it is in a transaction
 * (BEGIN, COMMIT, ROLLBACK) that has failed (FAIL).
 */
class BookkeepingSession {
  readonly parameterStatus = message(0x53, cString('server_version'), cString('18'));
  readonly groups: string[] = [];
  status = 'I';
  statements = new Set<string>();

  run = (bytes: Buffer, onOutput: (chunk: Buffer) => void): void => {
    const log: string[] = [];
    const output: Buffer[] = [];
    let offset = 0;
    let skipping = false;
    while (offset < bytes.length) {
      const end = offset + 1 + bytes.readInt32BE(offset + 1);
      const type = String.fromCharCode(bytes[offset]!);
      const body = bytes.subarray(offset + 5, end);
      offset = end;
      if (type === 'S') {
        skipping = false;
        output.push(readyForQuery(this.status));
        log.push('Sync');
        continue;
      }
      const text = this.describe(type, body);
      log.push(text);
      if (skipping) continue;
      if (type === 'Q') {
        output.push(...this.execute(readCString(body, 0).text), readyForQuery(this.status));
      } else if (type === 'P' && this.statements.has(readCString(body, 0).text)) {
        output.push(failure());
        skipping = true;
      } else if (type === 'P') {
        const name = readCString(body, 0).text;
        if (readCString(body, name.length + 1).text === 'selec') {
          output.push(failure());
          skipping = true;
        } else {
          if (name) this.statements.add(name);
          output.push(message(0x31));
        }
      } else if (type === 'C') {
        this.statements.delete(readCString(body, 1).text);
        output.push(message(0x33));
      } else if (type === 'B') {
        output.push(message(0x32));
      }
    }
    this.groups.push(log.join(' '));
    onOutput(Buffer.concat(output));
  };

  private execute(sql: string): Buffer[] {
    if (sql === 'BEGIN') this.status = 'T';
    else if (sql === 'COMMIT' || sql === 'ROLLBACK') this.status = 'I';
    else if (sql === 'FAIL') {
      if (this.status === 'T') this.status = 'E';
      return [failure()];
    } else if (sql === 'DISCARD ALL') this.statements.clear();
    else if (sql.startsWith('COPY'))
      return [message(0x47, Buffer.from([0, 0, 0])), message(0x43, cString('COPY 1'))];
    return [message(0x43, cString(sql))];
  }

  private describe(type: string, body: Buffer): string {
    switch (type) {
      case 'Q':
        return readCString(body, 0).text;
      case 'P':
        return `Parse(${readCString(body, 0).text})`;
      case 'B': {
        const portal = readCString(body, 0);
        return `Bind(${readCString(body, portal.end).text})`;
      }
      case 'C':
      case 'D':
        return `${type === 'C' ? 'Close' : 'Describe'}(${readCString(body, 1).text})`;
      default:
        return type;
    }
  }
}

const failure = () => message(0x45, cString('SERROR'), Buffer.from([0]));
const parse = (name: string, sql = 'select 1') =>
  message(Frontend.Parse, cString(name), cString(sql), Buffer.from([0, 0]));
const bind = (name: string) =>
  message(Frontend.Bind, cString(''), cString(name), Buffer.from([0, 0, 0, 0, 0, 0]));
const execute = () => message(Frontend.Execute, cString(''), Buffer.from([0, 0, 0, 0]));
const flush = () => message(Frontend.Flush);
const close = (name: string) => message(Frontend.Close, Buffer.from('S'), cString(name));
const terminate = () => message(Frontend.Terminate);
const copyData = (text: string) => message(Frontend.CopyData, Buffer.from(text));
const copyDone = () => message(Frontend.CopyDone);

function startup(code = 0x00030000, rest: Buffer = Buffer.from([0])): Buffer {
  const packet = Buffer.concat([Buffer.alloc(8), rest]);
  packet.writeInt32BE(packet.length, 0);
  packet.writeInt32BE(code, 4);
  return packet;
}

/** Types of the messages in an answer, a letter each. */
function types(bytes: Buffer): string {
  let text = '';
  for (let offset = 0; offset < bytes.length; offset += 1 + bytes.readInt32BE(offset + 1)) {
    text += String.fromCharCode(bytes[offset]!);
  }
  return text;
}

function setUp(options: { idleInTransactionMs?: number; maxUnreadBytes?: number } = {}) {
  const session = new BookkeepingSession();
  const answers = new Map<number, Buffer>();
  const ended: number[] = [];
  const planned: (() => void)[] = [];
  let timer: (() => void) | undefined;
  const warnings: string[] = [];
  const broker = new SessionBroker(
    session,
    {
      deliver: (id, chunk) =>
        void answers.set(id, Buffer.concat([answers.get(id) ?? Buffer.alloc(0), chunk])),
      end: (id) => void ended.push(id),
      consumed: () => undefined,
    },
    {
      ...options,
      defer: (callback) => void planned.push(callback),
      setTimer: (callback) => (timer = callback),
      clearTimer: () => (timer = undefined),
      warn: (text) => void warnings.push(text),
    },
  );
  return {
    broker,
    session,
    ended,
    warnings,
    timerRuns: () => timer?.(),
    isTimed: () => timer !== undefined,
    open: (id: number) => {
      broker.open(id);
      broker.receive(id, startup());
      answers.delete(id);
    },
    /** One turn at a time, until nothing is left to do. */
    settle: () => {
      for (let next = planned.shift(); next; next = planned.shift()) next();
    },
    /** What the connection has been answered since last asked. */
    answer: (id: number): string => {
      const bytes = answers.get(id) ?? Buffer.alloc(0);
      answers.delete(id);
      return types(bytes);
    },
    raw: (id: number) => answers.get(id),
  };
}

describe('SessionBroker', () => {
  it('greets a client as a server does', () => {
    const { broker, raw } = setUp();
    broker.open(1);
    broker.receive(1, startup());
    expect(types(raw(1)!)).toBe('RSKZ');
  });

  it('refuses encryption, so that the client goes on in plain', () => {
    const { broker, raw } = setUp();
    broker.open(1);
    broker.receive(1, startup(80877103, Buffer.alloc(0)));
    expect(raw(1)!.toString()).toBe('N');
    broker.receive(1, startup());
    expect(types(raw(1)!.subarray(1))).toBe('RSKZ');
  });

  it('ends a connection that speaks another protocol', () => {
    const { broker, ended, raw } = setUp();
    broker.open(1);
    broker.receive(1, startup(0x00020000));
    expect(types(raw(1)!)).toBe('E');
    broker.open(2);
    broker.receive(2, Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    expect(ended).toEqual([1, 2]);
  });

  it('keeps the messages of an extended query together', () => {
    const { broker, session, open, settle, answer } = setUp();
    open(1);
    open(2);
    broker.receive(1, Buffer.concat([parse(''), bind('')]));
    broker.receive(2, query('other'));
    settle();
    expect(session.groups).toEqual(['other']);
    broker.receive(1, Buffer.concat([execute(), sync()]));
    settle();
    expect(session.groups).toEqual(['other', 'Parse() Bind() E Sync']);
    expect(answer(1)).toBe('12Z');
    expect(answer(2)).toBe('CZ');
  });

  it('keeps the session for a connection until its transaction ends, failed or not', () => {
    const { broker, session, open, settle } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, query('BEGIN'));
    settle();
    broker.receive(2, query('other'));
    settle();
    broker.receive(1, query('FAIL'));
    settle();
    broker.receive(1, query('ROLLBACK'));
    settle();
    expect(session.groups).toEqual(['BEGIN', 'FAIL', 'ROLLBACK', 'other']);
  });

  it('keeps the session between a Flush and its Sync', () => {
    const { broker, session, open, settle } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, Buffer.concat([parse(''), flush()]));
    broker.receive(2, query('other'));
    settle();
    broker.receive(1, Buffer.concat([bind(''), execute(), sync()]));
    settle();
    expect(session.groups).toEqual(['Parse() H', 'Bind() E Sync', 'other']);
  });

  it('gives connections turns, one group each', () => {
    const { broker, session, open, settle } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, Buffer.concat([query('a1'), query('a2'), query('a3')]));
    broker.receive(2, Buffer.concat([query('b1'), query('b2')]));
    settle();
    expect(session.groups).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('rolls back for a connection that vanishes in a transaction', () => {
    const { broker, session, open, settle } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, query('BEGIN'));
    broker.receive(2, query('other'));
    settle();
    broker.vanish(1);
    settle();
    expect(session.groups).toEqual(['BEGIN', 'ROLLBACK', 'other']);
  });

  it('closes the sequence of a connection that vanishes between Flush and Sync', () => {
    const { broker, session, open, settle } = setUp();
    open(1);
    broker.receive(1, Buffer.concat([parse(''), flush()]));
    settle();
    broker.vanish(1);
    expect(session.groups).toEqual(['Parse() H', 'Sync']);
  });

  it('does not run what a vanished connection had still queued', () => {
    const { broker, session, open, settle } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, query('mine'));
    broker.vanish(1);
    broker.receive(2, query('other'));
    settle();
    expect(session.groups).toEqual(['other']);
  });

  it('runs what was sent before a Terminate, then ends the connection', () => {
    const { broker, session, open, settle, ended } = setUp();
    open(1);
    broker.receive(1, Buffer.concat([query('last'), terminate()]));
    settle();
    expect(session.groups).toEqual(['last']);
    expect(ended).toEqual([1]);
  });

  it('lets a connection leave while another holds the session', () => {
    const { broker, open, settle, ended } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, query('BEGIN'));
    settle();
    broker.receive(2, terminate());
    settle();
    expect(ended).toEqual([2]);
  });

  describe('prepared statements', () => {
    it('of one name in two connections are two', () => {
      const { broker, session, open, settle } = setUp();
      [1, 2].forEach(open);
      for (const id of [1, 2]) broker.receive(id, Buffer.concat([parse('n'), bind('n'), execute(), sync()]));
      settle();
      expect(session.groups).toEqual(['Parse(s1_1) Bind(s1_1) E Sync', 'Parse(s2_2) Bind(s2_2) E Sync']);
    });

    it('are closed when their connection has gone, once nobody is in a transaction', () => {
      const { broker, session, open, settle } = setUp();
      [1, 2].forEach(open);
      broker.receive(1, Buffer.concat([parse('n'), sync()]));
      broker.receive(2, query('BEGIN'));
      settle();
      broker.vanish(1);
      broker.receive(2, query('COMMIT'));
      settle();
      broker.receive(2, query('next'));
      settle();
      expect(session.groups.slice(1)).toEqual(['BEGIN', 'COMMIT', 'Close(s1_1) Sync', 'next']);
    });

    it('that failed to parse may be parsed again under the same name', () => {
      const { broker, session, open, settle, answer } = setUp();
      open(1);
      broker.receive(1, Buffer.concat([parse('n', 'selec'), sync()]));
      settle();
      expect(answer(1)).toBe('EZ');
      broker.receive(1, Buffer.concat([parse('n'), sync(), bind('n'), execute(), sync()]));
      settle();
      expect(answer(1)).toBe('1Z2Z');
      expect(session.groups.at(-1)).toBe('Bind(s1_2) E Sync');
    });

    it('cannot be parsed twice under one name, as on a server', () => {
      const { broker, open, settle, answer } = setUp();
      open(1);
      broker.receive(1, Buffer.concat([parse('n'), sync(), parse('n'), sync()]));
      settle();
      expect(answer(1)).toBe('1ZEZ');
    });

    it('can be closed and made anew', () => {
      const { broker, open, settle, answer } = setUp();
      open(1);
      broker.receive(1, Buffer.concat([parse('n'), sync(), close('n'), sync(), parse('n'), sync()]));
      settle();
      expect(answer(1)).toBe('1Z3Z1Z');
    });

    it('of others survive a DISCARD ALL; the caller has dropped its own', () => {
      const { broker, session, open, settle, answer } = setUp();
      [1, 2].forEach(open);
      for (const id of [1, 2]) broker.receive(id, Buffer.concat([parse('n'), sync()]));
      settle();
      broker.receive(2, query('DISCARD ALL'));
      settle();
      [1, 2].forEach(answer);
      for (const id of [1, 2]) broker.receive(id, Buffer.concat([bind('n'), execute(), sync()]));
      settle();
      expect(session.groups.slice(3)).toEqual(['Parse(s1_1) Sync', 'Bind(s1_1) E Sync', 'Bind(c2:n) E Sync']);
      expect(answer(1)).toBe('2Z');
    });

    it('without a name are kept apart, too', () => {
      const { broker, session, open, settle } = setUp();
      [1, 2].forEach(open);
      broker.receive(1, Buffer.concat([parse(''), sync()]));
      broker.receive(2, Buffer.concat([parse(''), sync()]));
      settle();
      broker.receive(1, Buffer.concat([bind(''), execute(), sync()]));
      settle();
      expect(session.groups.slice(2)).toEqual(['Parse() Sync', 'Bind() E Sync']);
    });
  });

  describe('COPY FROM STDIN', () => {
    it('asks for the data first and holds nobody up meanwhile', () => {
      const { broker, session, open, settle, answer } = setUp();
      [1, 2].forEach(open);
      broker.receive(1, query('COPY t FROM STDIN'));
      settle();
      expect(answer(1)).toBe('G');
      broker.receive(2, query('other'));
      settle();
      broker.receive(1, Buffer.concat([copyData('1\n'), copyDone()]));
      settle();
      expect(session.groups).toEqual(['other', 'COPY t FROM STDIN d c']);
      expect(answer(1)).toBe('CZ');
    });

    it('fails where no data can follow, instead of waiting for it', () => {
      const { broker, session, open, settle } = setUp();
      open(1);
      broker.receive(1, Buffer.concat([parse('', 'copy t from stdin'), bind(''), execute(), sync()]));
      broker.receive(1, query('select 1; copy t from stdin'));
      settle();
      expect(session.groups).toEqual(['Parse() Bind() E f Sync', 'select 1; copy t from stdin f']);
    });

    it('is dropped when its client leaves', () => {
      const { broker, session, open, settle, ended } = setUp();
      open(1);
      broker.receive(1, query('COPY t FROM STDIN'));
      settle();
      broker.receive(1, Buffer.concat([copyData('1\n'), terminate()]));
      settle();
      expect(session.groups).toEqual([]);
      expect(ended).toEqual([1]);
    });
  });

  describe('a connection idle in a transaction', () => {
    it('is ended when others have waited long enough', () => {
      const { broker, session, open, settle, answer, ended, timerRuns, warnings } = setUp();
      [1, 2].forEach(open);
      broker.receive(1, query('BEGIN'));
      settle();
      broker.receive(2, query('other'));
      settle();
      answer(1);
      timerRuns();
      settle();
      expect(answer(1)).toBe('E');
      expect(ended).toEqual([1]);
      expect(session.groups).toEqual(['BEGIN', 'ROLLBACK', 'other']);
      expect(warnings).toHaveLength(1);
    });

    it('may stay as long as nobody waits, and its work restarts the time', () => {
      const { broker, open, settle, isTimed } = setUp();
      [1, 2].forEach(open);
      broker.receive(1, query('BEGIN'));
      settle();
      expect(isTimed()).toBe(false);
      broker.receive(2, query('other'));
      settle();
      expect(isTimed()).toBe(true);
      broker.receive(1, query('COMMIT'));
      settle();
      expect(isTimed()).toBe(false);
    });
  });

  it('gives a connection that does not read its answers no further turn', () => {
    const { broker, session, open, settle } = setUp({ maxUnreadBytes: 100 });
    open(1);
    broker.receive(1, Buffer.concat(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((sql) => query(sql))));
    settle();
    expect(session.groups.length).toBeLessThan(8);
    broker.acknowledge(1, 1_000);
    settle();
    expect(session.groups).toHaveLength(8);
  });

  it('cancels a query that still waits for its turn', () => {
    const { broker, session, open, settle, answer, raw } = setUp();
    open(1);
    broker.open(2);
    broker.receive(2, startup());
    const greeting = raw(2)!;
    const key = greeting.subarray(greeting.length - 6 - 8, greeting.length - 6);
    answer(2);
    broker.receive(1, query('BEGIN'));
    settle();
    broker.receive(2, query('slow'));
    settle();
    broker.open(3);
    broker.receive(3, startup(80877102, key));
    expect(answer(2)).toBe('EZ');
    broker.receive(1, query('COMMIT'));
    settle();
    expect(session.groups).toEqual(['BEGIN', 'COMMIT']);
  });

  it('does work of its own between groups, never inside a transaction', () => {
    const { broker, session, open, settle } = setUp();
    open(1);
    broker.receive(1, query('BEGIN'));
    settle();
    broker.whenFree(() => void session.groups.push('own work'));
    settle();
    broker.receive(1, Buffer.concat([query('COMMIT'), query('next')]));
    settle();
    expect(session.groups).toEqual(['BEGIN', 'COMMIT', 'own work', 'next']);
  });

  it('rolls back and says goodbye to all when it shuts down', () => {
    const { broker, session, open, settle, answer, ended } = setUp();
    [1, 2].forEach(open);
    broker.receive(1, query('BEGIN'));
    settle();
    [1, 2].forEach(answer);
    broker.shutdown();
    expect(session.groups).toEqual(['BEGIN', 'ROLLBACK']);
    expect([answer(1), answer(2)]).toEqual(['E', 'E']);
    expect(ended).toEqual([1, 2]);
  });
});
