import { Session } from './session.cjs';

/** Types of the messages a client sends, a letter each. */
function typesOf(bytes: Uint8Array): string {
  let types = '';
  const buffer = Buffer.from(bytes);
  for (let at = 0; at < buffer.length; at += 1 + buffer.readInt32BE(at + 1))
    types += String.fromCharCode(buffer[at]!);
  return types;
}

function serverMessage(type: string, ...body: (string | number[])[]): Buffer {
  const rest = Buffer.concat(body.map((part) => Buffer.from(part as string)));
  const head = Buffer.from([type.charCodeAt(0), 0, 0, 0, 0]);
  head.writeInt32BE(rest.length + 4, 1);
  return Buffer.concat([head, rest]);
}

const READY = serverMessage('Z', 'I');

function setUp(answer: Buffer = READY) {
  const executed: Uint8Array[] = [];
  const state = { inTransaction: false };
  const session = new Session({
    execute: (bytes, onOutput) => {
      executed.push(bytes);
      for (const byte of answer) onOutput(new Uint8Array([byte]));
    },
    isInTransaction: () => state.inTransaction,
  });
  return { session, executed, state, types: () => executed.map(typesOf) };
}

const group = (text: string, partial = false) => ({ id: 1, bytes: Buffer.from(text), partial });

describe('Session', () => {
  it('runs a group, hands its answer on and says whether the session must stay', () => {
    const { session, executed, state } = setUp();
    const output: number[] = [];
    expect(session.run(group('a'), (chunk) => output.push(...chunk))).toBe(false);
    expect(executed).toEqual([Buffer.from('a')]);
    expect(Buffer.from(output)).toEqual(READY);
    expect(session.run(group('a', true), () => undefined)).toBe(true);
    state.inTransaction = true;
    expect(session.run(group('a'), () => undefined)).toBe(true);
  });

  it('fails what a client has left open, then rolls it back', () => {
    const { session, types, executed } = setUp();
    session.rollBack();
    expect(types()).toEqual(['PSQ']);
    expect(Buffer.from(executed[0]!).toString()).toContain('ROLLBACK');
  });

  it('closes the statements of those who left, once', () => {
    const { session, types, executed } = setUp();
    session.closeOrphans();
    session.orphan(['s1_1', 's1_2']);
    session.orphan(['s2_1']);
    session.closeOrphans();
    session.closeOrphans();
    expect(types()).toEqual(['CCCS']);
    expect(Buffer.from(executed[0]!).toString()).toMatch(/Ss1_1.*Ss1_2.*Ss2_1/s);
  });

  it('asks for rows', () => {
    const row = serverMessage('D', [0, 2], [0, 0, 0, 2], '42', [255, 255, 255, 255]);
    const { session } = setUp(Buffer.concat([row, row, serverMessage('C', 'SELECT 2\0'), READY]));
    expect(session.ask('select')).toEqual([
      ['42', null],
      ['42', null],
    ]);
  });

  it('throws what the database says is wrong', () => {
    const error = (text: string) => serverMessage('E', `SERROR\0C42P01\0M${text}\0\0`);
    const { session } = setUp(Buffer.concat([error('first'), error('second'), READY]));
    expect(() => session.ask('select')).toThrow(expect.objectContaining({ message: 'first', code: '42P01' }));
  });
});
