import { expectError } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

const SECRET = { JWT_SECRET: 'x'.repeat(32) };

describe('GET /', () => {
  const services: TestApp[] = [];
  const boot = async (settings: Record<string, string> = {}) => {
    const service = await bootApp({ settings });
    services.push(service);
    return service;
  };
  afterEach(() => Promise.all(services.splice(0).map((service) => service.close())));

  it('shows a browser where the API page, health and the demo are, in both languages', async () => {
    const { http } = await boot({ THROTTLE_LIMIT: '10' });
    const answer = await http.get('/?q=%3Cscript%3E').set('Accept', BROWSER).expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'unsafe-inline';/),
      'x-ratelimit-remaining': '9',
      vary: 'Accept',
    });
    expect(answer.text).toContain('接口文档页面');
    expect(answer.text).toContain('API page');
    expect(answer.text).toContain('npm run cli -- demo');
    // It loads nothing, and shows nothing of the request.
    expect(answer.text).not.toMatch(/<(?:script|img|iframe)|https?:|@import|url\(/);
    for (const [, link] of answer.text.matchAll(/<a href="([^"]+)"/g)) {
      await http.get(link!).redirects(1).expect(200);
    }
    const head = await http.head('/').set('Accept', BROWSER).expect(200);
    expect(head.text ?? '').toBe('');
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9'])(
    'is an unknown route to other clients: Accept: %s',
    async (accept) => {
      const { http } = await boot();
      const request = http.get('/');
      const answer = await (accept === undefined ? request : request.set('Accept', accept));
      expectError(answer, 404, '接口不存在');
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.headers.vary!.split(', ')).toContain('Accept');
    },
  );

  it('has a page at no other path, and for no other method', async () => {
    const { http } = await boot();
    for (const path of ['/index.html', '/api', '/api/nowhere']) {
      expectError(await http.get(path).set('Accept', BROWSER), 404, '接口不存在');
    }
    expectError(await http.post('/').set('Accept', BROWSER), 404, '接口不存在');
  });

  it('names no API page where there is none', async () => {
    const { http } = await boot({ API_DOCS: 'false' });
    const { text } = await http.get('/').set('Accept', BROWSER).expect(200);
    expect(text).not.toContain('/api/docs');
    expect(text).toContain('/api/health');
  });

  it('counts for the rate limit', async () => {
    const { http } = await boot({ THROTTLE_LIMIT: '1' });
    await http.get('/').set('Accept', BROWSER).expect(200);
    expectError(await http.get('/').set('Accept', BROWSER), 429, '请求过于频繁,请稍后再试');
  });

  it('is an unknown route to browsers, too, in production', async () => {
    const { http } = await boot({ NODE_ENV: 'production', ...SECRET });
    expectError(await http.get('/').set('Accept', BROWSER), 404, '接口不存在');
  });
});
