import { Logger } from '@nestjs/common';
import { OutageLog } from './outage-log';
import { translatePgError } from './pg-errors';

const refused = () =>
  translatePgError(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }));
const busy = () => translatePgError(Object.assign(new Error('deadlock detected'), { code: '40P01' }));

describe('OutageLog', () => {
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();

  beforeEach(() => jest.clearAllMocks());
  afterAll(() => jest.restoreAllMocks());

  it('tells an outage once, with its reason, and once that it is over', () => {
    const outages = new OutageLog();

    outages.answered();
    outages.failed(refused());
    outages.failed(refused());

    expect(error).toHaveBeenCalledTimes(1);
    expect(error).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'connect ECONNREFUSED 127.0.0.1:5432' }) },
      'The database is out of reach',
    );
    expect(log).not.toHaveBeenCalled();

    outages.answered();
    outages.answered();

    expect(log.mock.calls).toEqual([['The database answers again']]);
    expect([...log.mock.contexts, ...error.mock.contexts]).toMatchObject([
      { context: 'Database' },
      { context: 'Database' },
    ]);

    outages.failed(refused());

    expect(error).toHaveBeenCalledTimes(2);
  });

  it('names a full disk', () => {
    new OutageLog().failed(translatePgError(Object.assign(new Error('could not extend'), { code: '53100' })));
    expect(error).toHaveBeenCalledWith(expect.anything(), 'The disk of the database is full');
  });

  it('says nothing of a busy database or of other errors', () => {
    const outages = new OutageLog();

    outages.failed(busy());
    outages.failed(new Error('syntax error'));
    outages.failed('a text');

    expect(error).not.toHaveBeenCalled();
  });
});
