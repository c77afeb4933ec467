import { loggedError, noteOrigin } from './logged-error';

describe('loggedError', () => {
  it('shows of an error, and of what caused it, no field that a driver has attached', () => {
    const cause = Object.assign(new RangeError('why'), { code: '23505', detail: 'hunter2' });
    const error = Object.assign(new Error('what', { cause }), { code: 7, parameters: ['hunter2'] });
    expect(loggedError(error)).toEqual({
      type: 'Error',
      message: 'what',
      stack: error.stack,
      cause: { type: 'RangeError', message: 'why', code: '23505', stack: cause.stack },
    });
  });

  it('tells whose it is, where that was noted', () => {
    const error = new Error('what');
    noteOrigin(error, 'first');
    noteOrigin(error, 'second');
    noteOrigin('a text', 'nobody');
    expect(loggedError(error)).toMatchObject({ message: 'what', origin: 'first' });
  });

  it('tells what is no error as text', () => {
    expect(loggedError(undefined)).toEqual({ message: 'undefined' });
    expect(loggedError(Symbol('s'))).toEqual({ message: 'Symbol(s)' });
    expect(loggedError(Object.create(null))).toEqual({ message: 'object' });
  });

  it('ends with a cause that is its own, after five', () => {
    const error = new Error('what');
    error.cause = error;
    const { message, stack } = error;
    let told: object = { type: 'Error', message, stack };
    for (let causes = 0; causes < 5; causes += 1) told = { type: 'Error', message, stack, cause: told };
    expect(loggedError(error)).toEqual(told);
  });
});
