import { ReadyStates } from './ready-states';

const message = (type: string, body: string | number[] = []) => {
  const rest = Buffer.from(body as string);
  const head = Buffer.from([type.charCodeAt(0), 0, 0, 0, 0]);
  head.writeInt32BE(rest.length + 4, 1);
  return Buffer.concat([head, rest]);
};

const READY = [90, 0, 0, 0, 5, 73];

describe('ReadyStates', () => {
  // What looks like one in the middle of a row is none.
  const answers = Buffer.concat([
    message('1'),
    message('D', [...READY, ...READY]),
    message('C', 'SELECT 1\0'),
    message('Z', 'T'),
    message('E', 'error'),
    message('Z', 'E'),
    message('C', 'ROLLBACK\0'),
    message('Z', 'I'),
  ]);

  it.each([1, 2, 3, 5, 6, 7, 11, 1000])('are found in pieces of %i bytes', (size) => {
    const states = new ReadyStates();
    const found: string[] = [];
    for (let at = 0; at < answers.length; at += size) {
      found.push(...states.read(answers.subarray(at, at + size)));
    }
    expect(found).toEqual(['T', 'E', 'I']);
  });
});
