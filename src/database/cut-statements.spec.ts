import { QueryFailedError } from 'typeorm';
import { cutReason } from './cut-statements';
import { SilentDatabaseError } from './silent-database-error';

const pgError = (code: string, message = '') => Object.assign(new Error(message), { code });

describe('cutReason', () => {
  it.each([
    [pgError('57014', 'canceling statement due to statement timeout'), 'timeout'],
    [pgError('57014', 'canceling statement due to user request'), 'cancelled'],
    [pgError('55P03'), 'lock'],
    [pgError('25P03'), 'idle'],
    [new SilentDatabaseError(17), 'patience'],
    [new QueryFailedError('', [], new SilentDatabaseError(17)), 'patience'],
    [new QueryFailedError('', [], pgError('55P03')), 'lock'],
    [new Error('Query read timeout'), 'patience'],
    [pgError('23505'), undefined],
    [pgError('ECONNREFUSED'), undefined],
    [undefined, undefined],
  ])('%s is %s', (error, reason) => expect(cutReason(error)).toBe(reason));

  it('a client that had gone is known without the words of the server', () => {
    expect(cutReason(pgError('57014', '由于用户请求而正在取消查询'), true)).toBe('cancelled');
    expect(cutReason(pgError('55P03'), true)).toBe('lock');
  });
});
