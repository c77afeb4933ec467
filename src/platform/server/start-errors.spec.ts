import { EnvironmentError } from '../config/environment';
import { explainStartError } from './start-errors';

const failure = (code: string, more: object = {}) =>
  Object.assign(new Error(`cause of ${code}`), { code, ...more });

describe('what explains a failed start', () => {
  it('is the message of an error that explains itself', () => {
    expect(explainStartError(new EnvironmentError(['PORT is wrong']))).toBe(
      'Invalid settings:\n  - PORT is wrong',
    );
  });

  it.each([
    ['EADDRINUSE', 'Another program uses this port: stop it, or choose another port with PORT.'],
    ['EACCES', 'This user may not use this port: choose one above 1023 with PORT.'],
    ['EADDRNOTAVAIL', 'HOST must be an address of this machine.'],
    ['ENOTFOUND', 'HOST must be an address of this machine.'],
  ])('listening that fails with %s says what to do', (code, advice) => {
    expect(explainStartError(failure(code, { syscall: 'listen' }))).toBe(
      `Cannot listen: cause of ${code}. ${advice}`,
    );
  });

  it('listening that fails otherwise is told as it is', () => {
    expect(explainStartError(failure('EX', { syscall: 'listen' }))).toBe('Cannot listen: cause of EX');
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ])('%s: the database server cannot be reached', (code) => {
    expect(explainStartError(failure(code))).toBe(
      `Cannot reach the database server of DATABASE_URL (${code}). Is it running, and are host and port right?`,
    );
  });

  it.each(['28000', '28P01', '3D000', '53300', '57P03'])('%s: the database server refuses', (code) => {
    expect(explainStartError(failure(code))).toBe(
      `The database server of DATABASE_URL refuses the connection: cause of ${code}`,
    );
  });

  it.each(['57P01', '57P02', '57P04'])('%s: the database server has ended it', (code) => {
    expect(explainStartError(failure(code))).toBe(
      `The database server of DATABASE_URL has ended the connection: cause of ${code}`,
    );
  });

  it.each(['timeout expired', 'Connection terminated due to connection timeout'])(
    '%s: the database server does not answer',
    (message) => {
      expect(explainStartError(new Error(message))).toBe(
        `The database server of DATABASE_URL does not answer (${message}).`,
      );
    },
  );

  it('is the stack where nothing is known, or what was thrown', () => {
    const unknown = new Error('unknown');
    expect(explainStartError(unknown)).toBe(unknown.stack);
    expect(explainStartError('a text')).toBe('a text');
  });
});
