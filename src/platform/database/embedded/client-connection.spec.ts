import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError, type QueryConfig } from 'pg';
import { ClientConnection, driverFor, type ThreadLink } from './client-connection';

function serverMessage(type: string, ...body: (string | number[])[]): Buffer {
  const rest = Buffer.concat(body.map((part) => Buffer.from(part as string)));
  const head = Buffer.from([type.charCodeAt(0), 0, 0, 0, 0]);
  head.writeInt32BE(rest.length + 4, 1);
  return Buffer.concat([head, rest]);
}

const READY = serverMessage('Z', 'I');
const DONE = Buffer.concat([serverMessage('C', 'SELECT 0\0'), READY]);

/** `pg`'s own clients above connections whose thread is played by the test. */
function setUp(open: () => Promise<void> = () => Promise.resolve()) {
  const connections: ClientConnection[] = [];
  const log: string[] = [];
  const link = (id: number): ThreadLink => ({
    client: id,
    run: (bytes, partial) =>
      void log.push(`${id} ${partial ? 'part' : 'runs'} ${String.fromCharCode(bytes[0]!)}`),
    leave: (statements) => void log.push(`${id} leaves ${statements.join()}`.trim()),
  });
  const driver = driverFor(() => {
    const id = connections.length + 1;
    const connection = new ClientConnection(() => open().then(() => link(id)));
    connections.push(connection);
    return connection;
  });
  const connect = async () => {
    const client = new driver.Client('postgres://nobody@nowhere:1/nothing');
    const events: unknown[] = [];
    client.on('error', (error) => events.push(error));
    client.on('notice', (notice) => events.push(notice.message));
    client.on('end', () => events.push('end'));
    await client.connect();
    return { client, connection: connections.at(-1)!, events };
  };
  return { driver, connect, log, connections };
}

const never = (promise: Promise<unknown>) => promise.catch((error: Error) => error.message);

describe('ClientConnection', () => {
  it('connects as soon as the database runs, without a word to it', async () => {
    const { connect, log } = setUp();
    await connect();
    expect(log).toEqual([]);
  });

  it('fails to connect when the database does not run', async () => {
    const { connect } = setUp(() => Promise.reject(new Error('no database')));
    await expect(connect()).rejects.toThrow('no database');
  });

  it('is not troubled by settings of a network', async () => {
    process.env.PGSSLMODE = 'require';
    const { connect } = setUp();
    await connect().finally(() => delete process.env.PGSSLMODE);
  });

  it('sends a query and gives its answer, in whatever pieces it comes', async () => {
    const { connect, log } = setUp();
    const { client, connection } = await connect();
    const answer = client.query('select');
    expect(log).toEqual(['1 runs Q']);
    const description = serverMessage(
      'T',
      [0, 1],
      'n\0',
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 0, 0, 0, 0, 0, 0],
    );
    const row = serverMessage('D', [0, 1], [0, 0, 0, 2], '42');
    for (const byte of Buffer.concat([description, row, serverMessage('C', 'SELECT 1\0'), READY])) {
      connection.receive(new Uint8Array([byte]));
    }
    expect(await answer).toMatchObject({ rows: [{ n: 42 }], rowCount: 1, command: 'SELECT' });
  });

  it('gives errors and notices as pg does', async () => {
    const { connect } = setUp();
    const { client, connection, events } = await connect();
    const answer = client.query('select').catch((error: unknown) => error);
    connection.receive(serverMessage('N', 'SNOTICE\0Mlisten\0\0'));
    connection.receive(serverMessage('E', 'SERROR\0C23505\0Mtwice\0nunique_name\0ttable\0\0'));
    connection.receive(READY);
    const error = await answer;
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toMatchObject({
      code: '23505',
      constraint: 'unique_name',
      table: 'table',
      severity: 'ERROR',
    });
    expect(events).toEqual(['listen']);
  });

  it('sends a part of a query when pg wants its rows in pages', async () => {
    const { connect, log } = setUp();
    const { client, connection } = await connect();
    const answer = client.query({ text: 'select', rows: 10 } as QueryConfig);
    expect(log).toEqual(['1 part P']);
    connection.receive(serverMessage('s'));
    expect(log).toEqual(['1 part P', '1 part E']);
    connection.receive(serverMessage('C', 'SELECT 0\0'));
    expect(log.at(-1)).toBe('1 runs S');
    connection.receive(READY);
    await answer;
    // The parts of a query are one question: nothing is left to be answered.
    await client.end();
    expect(log.at(-1)).toBe('1 leaves');
  });

  it('leaves when it is done, with its statements', async () => {
    const { connect, log } = setUp();
    const { client, connection, events } = await connect();
    const answer = client.query({ name: 'n', text: 'select' });
    connection.receive(DONE);
    await answer;
    await client.end();
    await turn();
    expect(log).toEqual(['1 runs C', '1 leaves s1_1']);
    expect(events).toEqual(['end']);
  });

  it('is answered before it leaves, when it has sent something', async () => {
    const { driver, log, connections } = setUp();
    const client = new driver.Client({ pipeline: true });
    client.on('error', () => undefined);
    await client.connect();
    const [connection] = connections;
    const answers = Promise.all([client.query('select 1'), client.query('select 2')]);
    connection!.end();
    connection!.receive(DONE);
    expect(log).toEqual(['1 runs Q', '1 runs Q']);
    connection!.receive(DONE);
    await answers;
    expect(log.at(-1)).toBe('1 leaves');
  });

  it('cut off, leaves at once, and hears nothing more', async () => {
    const { connect, log } = setUp();
    const { client, connection, events } = await connect();
    const answer = never(client.query('select'));
    connection.stream.destroy();
    connection.receive(DONE);
    expect(await answer).toBe('Connection terminated unexpectedly');
    await turn();
    expect(log).toEqual(['1 runs Q', '1 leaves']);
    expect(events.at(-1)).toBe('end');
    expect(await never(client.query('select'))).toContain('not queryable');
    // Nor does what is sent without asking `pg` reach the thread, which has forgotten this client.
    connection.query('select');
    connection.sync();
    connection.flush();
    expect(log).toHaveLength(2);
  });

  it('cut off before it was connected, leaves what it has entered', async () => {
    let enter = () => undefined as void;
    const { driver, connections, log } = setUp(() => new Promise((resolve) => (enter = resolve)));
    const connecting = never(new driver.Client().connect());
    connections[0]!.stream.destroy();
    expect(await connecting).toBe('Connection terminated unexpectedly');
    enter();
    await turn();
    expect(log).toEqual(['1 leaves']);
  });

  it('lost, says why to all who wait and to its client', async () => {
    const { connect } = setUp();
    const { client, connection, events } = await connect();
    const answer = never(client.query('select'));
    connection.lose(new Error('the database is gone'));
    connection.lose(new Error('again'));
    expect(await answer).toBe('the database is gone');
    await turn();
    expect(events).toEqual([
      expect.objectContaining({ message: 'the database is gone' }),
      expect.objectContaining({ message: 'Connection terminated unexpectedly' }),
      'end',
    ]);
  });

  it('lost while it leaves, does not complain', async () => {
    const { connect } = setUp();
    const { client, connection, events } = await connect();
    const answer = never(client.query('select'));
    connection.end();
    connection.lose(new Error('the database is gone'));
    expect(await answer).toBe('Connection terminated unexpectedly');
    await turn();
    expect(events).not.toContainEqual(expect.objectContaining({ message: 'the database is gone' }));
  });

  it('ended by the database, tells its client the code', async () => {
    const { connect, log } = setUp();
    const { connection, events } = await connect();
    connection.terminated('25P03', 'idle for too long', 'do not wait');
    await turn();
    const said = { code: '25P03', severity: 'FATAL', message: 'idle for too long', hint: 'do not wait' };
    expect(events[0]).toMatchObject(said);
    expect(events[0]).toBeInstanceOf(DatabaseError);
    expect(log).toEqual(['1 leaves']);
  });

  it('carries a pool', async () => {
    const { driver, connections, log } = setUp();
    const pool = new driver.Pool({ max: 2 });
    const answers = [pool.query('select 1'), pool.query('select 2'), pool.query('select 3')];
    await turn();
    expect(connections).toHaveLength(2);
    expect(log).toEqual(['1 runs Q', '2 runs Q']);
    for (const connection of connections) connection.receive(DONE);
    await Promise.all(answers.slice(0, 2));
    await turn();
    expect(log).toHaveLength(3);
    connections[Number(log[2]!.split(' ')[0]) - 1]!.receive(DONE);
    await answers[2];
    await pool.end();
    expect(log.slice(3).sort()).toEqual(['1 leaves', '2 leaves']);
  });
});
