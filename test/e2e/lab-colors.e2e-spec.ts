import { Injectable } from '@nestjs/common';
import { AccessPolicy, AppModule, CUSTOM_ACCESS_POLICY, type CurrentUser } from '../../src';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

/** Colours are read by those who created them. */
@Injectable()
class OwnColors extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;

  override readable() {
    return {
      types: ['uuid'],
      values: ({ id }: CurrentUser) => [id],
      conditions: { color: (row: string, [user]: readonly string[]) => `${row}.created_by = ${user}` },
    };
  }
}

const PAGE = '/api/ext/color/page?L=50&a=20&b=10';

describe('GET /api/ext/color/page', () => {
  let service: TestApp;
  let account: Account;

  beforeAll(async () => {
    service = await bootApp({
      module: {
        imports: [
          AppModule.register({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: OwnColors }] }),
        ],
      },
    });
    account = await service.register();
    const other = await service.register();
    const store = (by: Account, body: object) => by.post('/api/color/formulas', body).expect(201);
    await store(account, {
      name: '<b>红</b>',
      targetLab: { L: 50, a: 20, b: 10 },
      actualLab: { L: 51, a: 21, b: 11 },
      deltaE: 1.2,
      colorantComposition: [{ name: 'CI 77491', ratio: 1 }],
    });
    await store(account, {
      name: '未测',
      targetLab: { L: 30, a: 120, b: -110 },
      colorantComposition: [{ name: 'CI 42090', ratio: 1 }],
    });
    await store(other, {
      name: '别人的颜色',
      targetLab: { L: 50, a: 20, b: 10 },
      actualLab: { L: 50, a: 20, b: 10 },
      colorantComposition: [{ name: 'CI 77492', ratio: 1 }],
    });
  });
  afterAll(() => service.close());

  it('shows the nearest colours that the user may see, with target, measurement and differences', async () => {
    const { text, headers } = await account.get(PAGE).expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('&lt;b&gt;红&lt;/b&gt;');
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('别人的颜色');
    expect(text).toMatch(/0\.00[\s\S]*51, 21, 11[\s\S]*1\.25/);
    expect(text.match(/class="swatch" style="background: #[0-9a-f]{6}"/g)).toHaveLength(3);
    expect(text).toContain('30, 120, -110 *');
  });

  it('has at most as many as asked for, in the language asked for', async () => {
    const { text } = await account.get(`${PAGE}&limit=1&lang=en`).expect(200);
    expect(text).toContain('Nearest colours');
    expect(text).not.toContain('未测');
  });

  it('refuses what is no colour', async () => {
    expectError(await account.get('/api/ext/color/page?L=101&a=0&b=0'), 400, 'L: 不能大于100');
    expectError(await account.get('/api/ext/color/page?L=50&a=x&b=0'), 400, 'a: 必须是数字');
    await account.get('/api/ext/color/page').expect(400);
  });
});
