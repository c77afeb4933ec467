import fc from 'fast-check';
import { serialize } from 'pg-protocol';
import { ClientMessages } from './client-messages';

/** Client 7's messages, as `<type>:<text>`, zero bytes shown as spaces. */
function messagesOf(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const found: string[] = [];
  for (let at = 0; at < buffer.length; at += 1 + buffer.readInt32BE(at + 1)) {
    const body = buffer.toString('latin1', at + 5, at + 1 + buffer.readInt32BE(at + 1));
    found.push(`${String.fromCharCode(buffer[at]!)}:${body.replaceAll('\0', ' ').trim()}`);
  }
  return found;
}

/** What travels for one query, by what `pg` calls. */
function sent(messages: ClientMessages, ...calls: ((to: ClientMessages) => void)[]): string[] {
  for (const call of calls) call(messages);
  return messagesOf(messages.take());
}

type Call = (to: ClientMessages) => void;
const query =
  (text: string): Call =>
  (to) =>
    to.query(text);
const parse =
  (name: string, text = 'select 1'): Call =>
  (to) =>
    to.parse({ name, text });
const bind =
  (statement?: string): Call =>
  (to) =>
    to.bind({ statement, values: [] });
const execute: Call = (to) => to.execute({});
const sync: Call = (to) => to.sync();

const refusalOf = (message: string) =>
  /^[QP]:DO .*RAISE feature_not_supported.*support ([A-Z ]+)'/s.exec(message)?.[1];

describe('ClientMessages', () => {
  it('keeps what belongs to one query together, and nothing of it for the next', () => {
    const messages = new ClientMessages(7);
    const what: Call = (to) => to.describe({ type: 'P' });
    expect(sent(messages, parse('', 'select $1'), bind(), what, execute, sync)).toEqual([
      expect.stringMatching(/^P:select \$1/),
      expect.stringMatching(/^B:/),
      'D:P',
      expect.stringMatching(/^E:/),
      'S:',
    ]);
    expect(sent(messages, execute, (to) => to.flush())).toEqual([expect.stringMatching(/^E:/), 'H:']);
    expect(sent(messages, query('select 2'))).toEqual(['Q:select 2']);
  });

  it('says of which types parameters are, and how many rows are wanted of which portal', () => {
    const messages = new ClientMessages(7);
    const [statement, page] = [
      { text: 'select $1', types: [23, 25] },
      { portal: 'p', rows: 10 },
    ];
    messages.parse(statement);
    messages.execute(page);
    const expected = [serialize.parse(statement), serialize.execute(page)];
    expect(Buffer.from(messages.take())).toEqual(Buffer.concat(expected));
  });

  it('fills a buffer of its own, which can be sent to another thread', () => {
    const messages = new ClientMessages(7);
    messages.query('select 1');
    const bytes = messages.take();
    expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
  });

  it('throws what the mapping of a value throws, and goes on', () => {
    const messages = new ClientMessages(7);
    const valueMapper = () => {
      throw new Error('no such value');
    };
    messages.parse({ name: 'n', text: 'select $1' });
    expect(() => messages.bind({ statement: 'n', values: [1], valueMapper })).toThrow('no such value');
    expect(sent(messages, (to) => to.close({ type: 'S', name: 'n' }), sync)).toEqual([
      'C:Ss7_1',
      expect.stringMatching(/^P:s7_1 select \$1/),
      'C:Ss7_1',
      'S:',
    ]);
  });

  describe('prepared statements', () => {
    it('have names that no other client has, the same at every use', () => {
      const [one, other] = [new ClientMessages(1), new ClientMessages(2)];
      for (const [messages, name] of [
        [one, 's1_1'],
        [other, 's2_1'],
      ] as const) {
        expect(sent(messages, parse('n'), bind('n'), sync)).toEqual([
          `C:S${name}`,
          `P:${name} select 1`,
          expect.stringMatching(`^B: *${name}`),
          'S:',
        ]);
        expect(sent(messages, (to) => to.describe({ type: 'S', name: 'n' }), bind('n'), sync)).toEqual([
          `D:S${name}`,
          expect.stringMatching(`^B: *${name}`),
          'S:',
        ]);
        expect(messages.statementNames()).toEqual([name]);
      }
    });

    it('made again under one name replace each other', () => {
      const messages = new ClientMessages(7);
      sent(messages, parse('n'), sync);
      expect(sent(messages, parse('n', 'select 2'), sync)).toEqual(['C:Ss7_1', 'P:s7_1 select 2', 'S:']);
      expect(sent(messages, parse('m'), sync)).toContain('P:s7_2 select 1');
    });

    it('that the client has not made are unknown to the database, too', () => {
      expect(sent(new ClientMessages(7), bind('n'), sync)[0]).toMatch(/^B: *c7:n/);
    });

    it('without a name, and portals, keep their names', () => {
      const portal = { type: 'P', name: 'n' } as const;
      const calls: Call[] = [
        (to) => to.describe(portal),
        (to) => to.close(portal),
        (to) => to.execute({ portal: 'n' }),
      ];
      expect(sent(new ClientMessages(7), parse('n'), ...calls, sync).slice(2)).toEqual([
        'D:Pn',
        'C:Pn',
        'E:n',
        'S:',
      ]);
    });

    it.each(['DISCARD ALL', ' deallocate all ; '])('are dropped by %s, those of others are not', (text) => {
      const messages = new ClientMessages(7);
      sent(messages, parse('n'), parse('m'), sync);
      expect(sent(messages, query(text))).toEqual(['C:Ss7_1', 'C:Ss7_2', 'Q:DISCARD PLANS']);
      expect(messages.statementNames()).toEqual([]);
      expect(sent(messages, bind('n'), sync)[0]).toMatch(/^B: *c7:n/);
    });
  });

  describe('COPY FROM STDIN', () => {
    const refused = 'f:the embedded database does not take COPY FROM STDIN';

    it('is refused where the database would wait for its data', () => {
      const messages = new ClientMessages(7);
      expect(sent(messages, query('copy t from stdin'))).toEqual(['Q:copy t from stdin', refused]);
      expect(sent(messages, query('select 1; COPY t FROM STDIN'))[1]).toBe(refused);
      expect(sent(messages, parse('', 'copy t from stdin'), bind(), execute, sync).slice(-2)).toEqual([
        refused,
        'S:',
      ]);
      sent(messages, parse('n', 'copy t from stdin'), sync);
      expect(sent(messages, bind('n'), execute, sync).slice(-2)).toEqual([refused, 'S:']);
    });

    it('leaves other queries alone, also the next one', () => {
      const messages = new ClientMessages(7);
      sent(messages, query('copy t from stdin'));
      expect(sent(messages, query('copy t to stdout'))).toEqual(['Q:copy t to stdout']);
    });
  });

  it.each([
    ['listen news', 'LISTEN'],
    [' UNLISTEN *', 'UNLISTEN'],
    ['select 1;\n listen news', 'LISTEN'],
    ['discard temp', 'DISCARD'],
    ['discard plans', 'DISCARD'],
    ['select 1; discard all', 'DISCARD'],
    ['select 1; deallocate all', 'DEALLOCATE ALL'],
  ])('has the database refuse %j', (text, what) => {
    expect(refusalOf(sent(new ClientMessages(7), query(text))[0]!)).toBe(what);
    expect(refusalOf(sent(new ClientMessages(7), parse('', text), sync)[0]!)).toBe(what);
  });

  it.each([
    "select 'a; listen'",
    "select 'a', 'b; listen'",
    "insert into t values ('x;discard all')",
    'select listened from discards',
    'deallocate n',
  ])('lets %j pass', (text) => {
    expect(sent(new ClientMessages(7), query(text))).toEqual([`Q:${text}`]);
  });

  it('never lets two clients meet under one name', () => {
    const step = fc.record({
      client: fc.integer({ min: 0, max: 2 }),
      name: fc.constantFrom('', 'a', 'b', 's1_1'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const clients = [1, 11, 111].map((id) => new ClientMessages(id));
        for (const { client, name } of steps) sent(clients[client]!, parse(name), sync);
        const names = clients.flatMap((client) => client.statementNames());
        expect(new Set(names).size).toBe(names.length);
        const made = new Set(steps.filter(({ name }) => name).map(({ client, name }) => `${client} ${name}`));
        expect(names.length).toBe(made.size);
      }),
    );
  });
});
