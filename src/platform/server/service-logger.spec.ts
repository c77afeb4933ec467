import { parseEnvironment } from '../config/environment';
import { ServiceLogger } from './service-logger';

describe('ServiceLogger', () => {
  let lines: Record<string, unknown>[];
  const logger = (LOG_LEVEL = 'info') =>
    ServiceLogger.for(parseEnvironment({ NODE_ENV: 'test', LOG_LEVEL }), {
      write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
  beforeEach(() => (lines = []));

  it.each(['authorization', 'cookie', 'password', 'token', 'apiKey', 'alphaKey', 'betaKey'])(
    'never prints %s, at any of three depths',
    (field) => {
      const secret = { [field]: 'hunter2', kept: 'x' };
      logger().log({ ...secret, inner: { ...secret, inner: secret } }, 'Test');
      expect(JSON.stringify(lines)).not.toContain('hunter2');
      expect(lines[0]).toMatchObject({ kept: 'x', inner: { kept: 'x', inner: { kept: 'x' } } });
    },
  );

  it('writes text, object and error with their context, and no other field of an error', () => {
    const error = Object.assign(new Error('cause'), { code: '23505', detail: 'hunter2' });
    logger().log('text', 'Test');
    logger().warn({ some: 1 }, 'means', 'Test');
    logger().error(error, 'Test');
    logger().error('text', 'stack of it', 'Test');
    expect(lines).toMatchObject([
      { level: 30, msg: 'text', context: 'Test' },
      { level: 40, msg: 'means', some: 1, context: 'Test' },
      { level: 50, msg: 'cause', err: { message: 'cause', code: '23505' }, context: 'Test' },
      { level: 50, msg: 'text', stack: 'stack of it', context: 'Test' },
    ]);
    expect(lines[0]).not.toHaveProperty('stack');
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('tells of the framework’s own start and failed start only to who looks for a fault in it', () => {
    const tell = (to: ServiceLogger) => {
      to.log('routes', 'RoutesResolver');
      to.error('failed', 'stack of it', 'ExceptionHandler');
    };
    tell(logger());
    expect(lines).toEqual([]);
    tell(logger('debug'));
    expect(lines).toMatchObject([{ level: 20 }, { level: 20 }]);
  });
});
