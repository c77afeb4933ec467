import { type DynamicModule, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Environment } from './environment';
import { EnvironmentModule, readEnvironment } from './environment.module';
import { EXTRA_SETTINGS, settingsSchemasOf } from './extra-settings';
import { SigningSecret } from './signing-secret';

describe('EnvironmentModule', () => {
  const kept = { ...process.env };
  afterEach(() => {
    process.env = { ...kept };
    jest.restoreAllMocks();
  });

  async function boot(variables: Record<string, string>, ...extensions: DynamicModule[]) {
    process.env = { NODE_ENV: 'test', ...variables };
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const module = await Test.createTestingModule({ imports: [EnvironmentModule, ...extensions] }).compile();
    await module.init();
    return { module, warn };
  }

  it('reads the settings of the process, and resolves the secret by them', async () => {
    const { module, warn } = await boot({ PORT: '7', JWT_SECRET: 'mine' });
    expect(readEnvironment().port).toBe(7);
    expect(module.get(Environment)).toEqual(readEnvironment());
    expect(module.get(SigningSecret)).toEqual({ value: 'mine', isDevelopmentDefault: false });
    expect(warn).not.toHaveBeenCalled();
  });

  it('warns of what is misspelt, by its name alone', async () => {
    const { warn } = await boot({ THROTLE_LIMIT: '123456', UNKNOWN: 'x', JWT_SECRET: 'mine' });
    expect(warn.mock.calls).toEqual([['THROTLE_LIMIT is not a setting; did you mean THROTTLE_LIMIT?']]);
  });

  it('finds settings of extensions in any module, and tells all faults together', async () => {
    const schema = {
      safeParse: ({ SHELF = '' }: Readonly<Record<string, string>>) =>
        SHELF
          ? { success: true, data: { shelf: SHELF } }
          : { success: false, error: { issues: [{ path: ['SHELF'], message: 'is missing' }] } },
    };
    const extended = (useValue: unknown) => ({
      module: class ShelfModule {},
      providers: [{ provide: EXTRA_SETTINGS, useValue }],
    });
    for (const given of [schema, [schema]]) {
      const { module } = await boot({ SHELF: 'left' }, extended(given));
      expect(module.get(Environment).extra(schema)).toEqual({ shelf: 'left' });
      expect(JSON.stringify(module.get(Environment))).not.toContain('left');
    }
    await expect(boot({ PORT: 'x' }, extended(schema))).rejects.toMatchObject({
      faults: [expect.stringMatching(/^PORT /), 'SHELF is missing'],
    });
    const made = { provide: EXTRA_SETTINGS, useFactory: () => schema };
    await expect(boot({}, { module: class MadeModule {}, providers: [made] })).rejects.toThrow(
      'EXTRA_SETTINGS in MadeModule must be a value',
    );
    const refused =
      'EXTRA_SETTINGS in ShelfModule must be a zod object, or what else has safeParse(), or a list';
    for (const wrong of [{}, undefined, null, 'text', [schema, { SHELF: 'left' }]]) {
      await expect(boot({}, extended(wrong))).rejects.toThrow(refused);
      await expect(settingsSchemasOf(extended(wrong))).rejects.toThrow(refused);
    }
  });

  it('warns of the development secret', async () => {
    const { warn } = await boot({ DATABASE_URL: 'postgres://db/lab' });
    expect(warn.mock.calls).toEqual([
      [
        'JWT_SECRET is the publicly known development default: whoever reaches this service can sign in as anybody. ' +
          'Set a JWT_SECRET of your own before you keep real formulas here.',
      ],
    ]);
    expect(warn.mock.contexts[0]).toMatchObject({ context: 'Security' });
  });
});
