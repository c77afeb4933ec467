import fc from 'fast-check';
import {
  MessageCutter,
  ProtocolViolation,
  ReplyScanner,
  eachMessage,
  isCopyFromStdin,
  message,
  query,
} from './wire.cjs';

/** The same bytes in pieces that end anywhere. */
function inPieces(bytes: Buffer, cuts: number[]): Buffer[] {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

const anyMessage = fc
  .tuple(fc.integer({ min: 0x41, max: 0x7a }), fc.uint8Array({ maxLength: 40 }))
  .map(([type, body]) => message(type, body));
const anyStream = fc.array(anyMessage, { maxLength: 12 });
const anyCuts = fc.array(fc.nat(2000), { maxLength: 20 });

describe('MessageCutter', () => {
  it('gives the same messages wherever the chunks end', () => {
    fc.assert(
      fc.property(anyStream, anyCuts, (messages, cuts) => {
        const cutter = new MessageCutter();
        const found: string[] = [];
        for (const piece of inPieces(Buffer.concat(messages), cuts)) {
          cutter.push(piece);
          for (let next = cutter.nextMessage(); next; next = cutter.nextMessage())
            found.push(next.toString('hex'));
        }
        expect(found).toEqual(messages.map((whole) => whole.toString('hex')));
      }),
    );
  });

  it('keeps an incomplete message until the rest comes', () => {
    const cutter = new MessageCutter();
    const whole = query('select 1');
    cutter.push(whole.subarray(0, 7));
    expect(cutter.nextMessage()).toBeUndefined();
    cutter.push(whole.subarray(7));
    expect(cutter.nextMessage()).toEqual(whole);
    expect(cutter.nextMessage()).toBeUndefined();
  });

  it('cuts start-up packets, which have no type byte', () => {
    const cutter = new MessageCutter();
    const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
    cutter.push(Buffer.concat([sslRequest, query('x')]));
    expect(cutter.nextStartupPacket()).toEqual(sslRequest);
    expect(cutter.nextMessage()).toEqual(query('x'));
  });

  it.each([
    ['a length below its own four bytes', [0x51, 0, 0, 0, 3]],
    ['a negative length', [0x51, 0xff, 0xff, 0xff, 0xff]],
    ['a length no message has', [0x51, 0x7f, 0, 0, 0]],
  ])('refuses %s', (_case, bytes) => {
    const cutter = new MessageCutter();
    cutter.push(Buffer.from(bytes));
    expect(() => cutter.nextMessage()).toThrow(ProtocolViolation);
  });

  it('refuses a start-up packet that is something else', () => {
    const cutter = new MessageCutter();
    cutter.push(Buffer.from('GET / HTTP/1.1\r\n'));
    expect(() => cutter.nextStartupPacket()).toThrow(ProtocolViolation);
  });
});

describe('ReplyScanner', () => {
  it('names the types wherever the chunks end', () => {
    fc.assert(
      fc.property(anyStream, anyCuts, (messages, cuts) => {
        const types: number[] = [];
        const scanner = new ReplyScanner((type) => types.push(type));
        for (const piece of inPieces(Buffer.concat(messages), cuts)) scanner.push(piece);
        expect(types).toEqual(messages.map((whole) => whole[0]));
      }),
    );
  });
});

describe('eachMessage', () => {
  it('visits every message with its bytes', () => {
    const messages = [message(0x31), message(0x5a, Buffer.from('I'))];
    const found: [number, string][] = [];
    eachMessage(Buffer.concat(messages), (type, bytes) => found.push([type, bytes.toString('hex')]));
    expect(found).toEqual(messages.map((whole) => [whole[0], whole.toString('hex')]));
  });
});

describe('isCopyFromStdin', () => {
  it.each([
    'COPY t FROM STDIN',
    'copy t (a, b) from stdin with (format csv)',
    ' \n-- a comment\n /* another; one */ copy "T" from\n stdin;',
  ])('%s needs data', (sql) => {
    expect(isCopyFromStdin(query(sql))).toBe(true);
  });

  it.each([
    'copy t to stdout',
    "select 'copy t from stdin'",
    'select 1; copy t from stdin',
    'create table copy (i int)',
  ])('%s does not', (sql) => {
    expect(isCopyFromStdin(query(sql))).toBe(false);
  });
});
