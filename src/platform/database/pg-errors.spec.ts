import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { NotFoundError, UnavailableError } from '../common/errors/service-error';
import { ConstraintViolation, isLockTimeout, translatePgError, violates } from './pg-errors';

const pgError = (code: string, more: object = {}) => Object.assign(new Error('details'), { code, ...more });
const byTypeOrm = (error: Error) => new QueryFailedError('SELECT 1', [], error);

describe('errors of the database', () => {
  it.each([
    ['23505', 'unique'],
    ['23503', 'foreign-key'],
    ['23514', 'check'],
    ['23P01', 'exclusion'],
  ])('%s is a violated constraint, known by its name', (code, kind) => {
    for (const error of [
      pgError(code, { constraint: 'uq_x' }),
      byTypeOrm(pgError(code, { constraint: 'uq_x' })),
    ]) {
      const translated = translatePgError(error);
      expect(translated).toBeInstanceOf(ConstraintViolation);
      expect(translated).toMatchObject({ constraint: 'uq_x', kind });
      expect(violates(translated, 'uq_x')).toBe(true);
      expect(violates(translated, 'uq_y')).toBe(false);
    }
  });

  it('tells nothing but the constraint of ours, and keeps the cause for the log', () => {
    const cause = pgError('23505', { constraint: 'uq_x' });
    expect(translatePgError(cause)).toMatchObject({ message: 'constraint uq_x violated', cause });
    expect(translatePgError(byTypeOrm(cause))).toMatchObject({ cause });
    expect(violates(cause, 'uq_x')).toBe(false);
    expect(violates({ constraint: 'uq_x' }, 'uq_x')).toBe(false);
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
    '08000',
    '08006',
    '53300',
    '57P01',
    '57P03',
    '28000',
    '28P01',
    '25006',
    '3D000',
    '55000',
  ])('%s: out of reach', (code) => {
    const cause = pgError(code);
    for (const error of [cause, byTypeOrm(cause)]) {
      expect(translatePgError(error)).toMatchObject({
        status: 503,
        message: '数据库不可用',
        headers: { 'Retry-After': '5' },
        cause,
      });
    }
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'Client was closed and is not queryable',
    'Connection ended unexpectedly',
    'Query read timeout',
  ])('pg’s “%s”: out of reach', (message) => {
    expect(translatePgError(new Error(message))).toBeInstanceOf(UnavailableError);
  });

  it.each(['40001', '40P01', '55P03', '57014', '25P03'])('%s: busy, come back', (code) => {
    const cause = pgError(code);
    expect(translatePgError(cause)).toMatchObject({
      status: 503,
      message: '数据库繁忙,请重试',
      headers: { 'Retry-After': '1' },
      cause,
    });
  });

  it('a lock that was not to be had in time is known by its code', () => {
    expect(isLockTimeout(pgError('55P03'))).toBe(true);
    expect([pgError('57014'), undefined].map(isLockTimeout)).toEqual([false, false]);
  });

  it.each([new QueryRunnerAlreadyReleasedError(), new QueryRunnerProviderAlreadyReleasedError()])(
    'TypeORM’s “$name”: its connection was lost in the middle of a transaction',
    (error) => expect(translatePgError(error)).toMatchObject({ status: 503, message: '数据库不可用' }),
  );

  it('the text of the database never becomes ours', () => {
    for (const code of ['57P01', '40P01']) {
      expect((translatePgError(pgError(code)) as Error).message).not.toContain('details');
    }
  });

  it('anything else is a fault of ours and passes unchanged', () => {
    const faults = [
      pgError('42601'),
      pgError('25001'),
      pgError('X08006'),
      pgError('55P02'),
      pgError('57000'),
      new Error('a Query read timeout'),
      Object.assign(new Error('x'), { code: 57 }),
      { message: 7 },
      pgError('22P02'),
      pgError('23505'),
      pgError('23502', { constraint: 'x' }),
      new TypeError('x'),
      new NotFoundError('x'),
      new NotFoundError('Connection terminated by the supplier'),
      new ConstraintViolation('x', 'check'),
      'text',
      undefined,
      null,
    ];
    for (const fault of faults) expect(translatePgError(fault)).toBe(fault);
  });
});
