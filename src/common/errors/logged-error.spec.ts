import { loggedError } from './logged-error';

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

  it('tells what is no error as text', () => {
    expect(loggedError(undefined)).toEqual({ message: 'undefined' });
  });
});
