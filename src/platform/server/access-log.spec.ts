import { Logger } from '@nestjs/common';
import { ManualClock } from '../../../test/support/clock';
import { AccessLog } from './access-log';
import { type Answer, Answers } from './answers';

const ANSWER: Answer = {
  requestId: 'r',
  method: 'GET',
  route: '/api/projects',
  status: 200,
  code: undefined,
  userId: undefined,
  seconds: 0.00321,
  bytes: 5,
  isComplete: true,
};

describe('AccessLog', () => {
  const clock = new ManualClock();
  let log: jest.SpyInstance;
  let random: number;

  const start = (accessLogShare: number) => {
    const answers = new Answers();
    new AccessLog({ accessLogShare }, answers, clock, () => random).onModuleInit();
    return (answer: Partial<Answer>) => answers['tell']({ ...ANSWER, ...answer });
  };
  const lines = () => log.mock.calls.length;

  beforeEach(() => {
    random = 0.5;
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  });
  afterEach(() => jest.restoreAllMocks());

  it('tells milliseconds with one decimal, and no path', () => {
    start(1)({});
    expect(log.mock.calls).toEqual([
      [
        {
          requestId: 'r',
          user: null,
          method: 'GET',
          route: '/api/projects',
          status: 200,
          ms: 3.2,
          bytes: 5,
        },
        'GET /api/projects 200',
      ],
    ]);
  });

  it('writes the share that it is told to', () => {
    const tell = start(0.25);
    for (random of [0, 0.2, 0.25, 0.9]) tell({});
    expect(lines()).toBe(2);
  });

  it.each([
    ['400', { status: 400 }, 1],
    ['503', { status: 503 }, 1],
    ['cut', { isComplete: false }, 1],
    ['429', { status: 429 }, 0],
    ['399', { status: 399 }, 0],
  ])('%s, which no share meets: %j is %i lines', (_, answer, count) => {
    start(0.000001)(answer);
    expect(lines()).toBe(count);
  });

  it('fifty faults of a second are written, the others by their share: nobody fills the disk with them', () => {
    const tell = start(0.01);
    for (let n = 0; n < 1000; n++) tell({ status: 400, route: 'unreadable' });
    expect(lines()).toBe(50);
    random = 0;
    tell({ status: 400 });
    expect(lines()).toBe(51);

    random = 0.5;
    clock.advance(999);
    tell({ status: 499, isComplete: false });
    expect(lines()).toBe(51);
    clock.advance(1);
    tell({ status: 499, isComplete: false });
    expect(lines()).toBe(52);
  });

  it('of all is of all', () => {
    const tell = start(1);
    for (let n = 0; n < 100; n++) tell({ status: 400 });
    expect(lines()).toBe(100);
  });

  it('off watches nothing', () => {
    const answers = new Answers();
    new AccessLog({ accessLogShare: 0 }, answers, clock, () => 0).onModuleInit();
    expect(answers.isWatched).toBe(false);
  });
});
