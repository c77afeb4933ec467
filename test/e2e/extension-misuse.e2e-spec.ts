import { Body, Controller, Get, Module, Post, type Provider, Query, type Type } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { z } from 'zod';
import {
  AI_CAPABILITY,
  AI_INTERCEPTOR,
  AI_PROVIDER,
  AppModule,
  AUTH_STRATEGIES,
  CUSTOM_ACCESS_POLICY,
  EVENT_HANDLER,
  EXTRA_MIGRATIONS,
  EXTRA_ROLES,
  HEALTH_INDICATOR,
  LANGUAGE,
  ObjectField,
  OwnershipPolicy,
  RECORD_KINDS,
  REMOVED_MIGRATIONS,
  Roles,
  WRITE_VALIDATOR,
} from '../../src/index';
import { bootApp } from '../support/app';

const gamma = (given: object) => ({
  provide: AI_PROVIDER,
  useValue: {
    name: 'gamma',
    defaultModel: 'gamma-1',
    capabilities: { remote: true, streaming: true },
    ...given,
  },
});
const methods = { serves: () => true, isConfigured: () => true, complete: () => undefined };
const MIGRATIONS = 'must be a list of classes with up() and down(), whose names end with 13 digits.';

class Unnumbered {
  up() {}
  down() {}
}

/** What each seam refuses, and what it says. */
const MISTAKES: [string, Provider, string][] = [
  [
    'a policy that is a class',
    { provide: CUSTOM_ACCESS_POLICY, useValue: OwnershipPolicy },
    'CUSTOM_ACCESS_POLICY in WrongModule must have canChange() and',
  ],
  [
    'a policy that is nothing',
    { provide: CUSTOM_ACCESS_POLICY, useValue: undefined },
    'CUSTOM_ACCESS_POLICY in WrongModule must have canChange() and',
  ],
  [
    'a policy that extends nothing',
    { provide: CUSTOM_ACCESS_POLICY, useValue: { canChange: () => true, canConfigure: () => true } },
    'CUSTOM_ACCESS_POLICY in WrongModule must have canChangeIngredient() and canCreate() and canUse() and changeScope().',
  ],
  [
    'a kind of the service',
    { provide: RECORD_KINDS, useValue: { formula: 'ext_formulas' } },
    'RECORD_KINDS in WrongModule: formula is named already.',
  ],
  [
    'a kind without a table',
    { provide: RECORD_KINDS, useValue: { sample: 'ext_samples' } },
    'RECORD_KINDS in WrongModule: sample has no table ext_samples.',
  ],
  [
    'a capability whose preset breaks its schema',
    {
      provide: AI_CAPABILITY,
      useValue: {
        capability: { name: 'name-it', schema: z.string(), prompt: () => ({}), preset: () => 5 },
        input: {},
      },
    },
    'AI_CAPABILITY in WrongModule: the preset of name-it breaks its schema',
  ],
  [
    'a role in capitals',
    { provide: EXTRA_ROLES, useValue: 'Viewer' },
    'EXTRA_ROLES in WrongModule must be names',
  ],
  [
    'a strategy that nobody has',
    { provide: AUTH_STRATEGIES, useValue: ['badge'] },
    'AUTH_STRATEGIES names badge, and no strategy is registered',
  ],
  [
    'a migration that is a text',
    { provide: EXTRA_MIGRATIONS, useValue: ['dist/*.js'] },
    `EXTRA_MIGRATIONS in WrongModule ${MIGRATIONS}`,
  ],
  [
    'a migration that has no methods',
    { provide: EXTRA_MIGRATIONS, useValue: [class Teams1790000000000 {}] },
    `EXTRA_MIGRATIONS in WrongModule ${MIGRATIONS}`,
  ],
  [
    'a migration without a time',
    { provide: EXTRA_MIGRATIONS, useValue: [Unnumbered] },
    `EXTRA_MIGRATIONS in WrongModule ${MIGRATIONS}`,
  ],
  [
    'migrations that are nothing',
    { provide: EXTRA_MIGRATIONS, useValue: undefined },
    `EXTRA_MIGRATIONS in WrongModule ${MIGRATIONS}`,
  ],
  [
    'a removed migration that is a text',
    { provide: REMOVED_MIGRATIONS, useValue: ['x'] },
    `REMOVED_MIGRATIONS in WrongModule ${MIGRATIONS}`,
  ],
  [
    'a handler without a name',
    { provide: EVENT_HANDLER, useValue: {} },
    'EVENT_HANDLER in WrongModule must have a name',
  ],
  [
    'a rule of what has no input',
    { provide: WRITE_VALIDATOR, useValue: { writes: ['formula.deleted'], faults: () => [] } },
    'WRITE_VALIDATOR in WrongModule names what has no input',
  ],
  [
    'an indicator without a check',
    { provide: HEALTH_INDICATOR, useValue: { name: 'queue' } },
    'HEALTH_INDICATOR in WrongModule must have',
  ],
  [
    'a language of Accept-Language',
    { provide: LANGUAGE, useValue: { header: 'Accept-Language', value: 'en', texts: {} } },
    'LANGUAGE in WrongModule is chosen by Accept-Language',
  ],
  [
    'an interceptor without intercept',
    { provide: AI_INTERCEPTOR, useValue: {} },
    'AI_INTERCEPTOR in WrongModule must have intercept().',
  ],
  [
    'a provider that is nothing',
    { provide: AI_PROVIDER, useValue: null },
    'The AI provider "undefined" in WrongModule needs a name',
  ],
  [
    'a provider without methods',
    gamma({}),
    'The AI provider "gamma" in WrongModule must have serves() and isConfigured() and complete() and stream().',
  ],
  [
    'a provider without its streams',
    gamma(methods),
    'The AI provider "gamma" in WrongModule must have stream().',
  ],
  [
    'a provider without a model',
    gamma({ ...methods, defaultModel: undefined }),
    'The AI provider "gamma" in WrongModule must have a defaultModel and',
  ],
];

const starting = (provider?: Provider, controllers: Type[] = []) => {
  @Module({ providers: provider ? [provider] : [], controllers })
  class WrongModule {}
  return bootApp({ module: { imports: [AppModule.register({ extensions: [WrongModule] })] } });
};

describe('A mistake at a seam ends the start and is told with its place', () => {
  it.each(MISTAKES)('%s', async (_, provider, message) => {
    await expect(starting(provider)).rejects.toThrow(message);
  });

  it('an address of a provider that is none, though it needs no key', async () => {
    const provider = gamma({ ...methods, stream: () => undefined });
    @Module({ providers: [provider] })
    class KeylessModule {}
    const module = { imports: [AppModule.register({ extensions: [KeylessModule] })] };
    await expect(bootApp({ settings: { GAMMA_BASE_URL: 'localhost:8080' }, module })).rejects.toThrow(
      'GAMMA_BASE_URL must be an address starting with http:// or https://',
    );
  });

  it('a promise of a module that is rejected', async () => {
    @Module({})
    class FirstModule {}
    const failing = Promise.reject(new Error('no such file'));
    const module = { imports: [AppModule.register({ extensions: [FirstModule, failing] })] };
    await expect(bootApp({ module })).rejects.toThrow(
      'AppModule.register: extensions[1] is rejected: no such file',
    );
  });

  it('a handler in place of one of ours, which would not ask our policy', async () => {
    @Controller('formulas')
    class StolenController {
      @Get(':x')
      read() {}
    }
    @Module({ controllers: [StolenController] })
    class StolenModule {}
    const module = { imports: [AppModule.register({ extensions: [StolenModule] })] };
    await expect(bootApp({ module })).rejects.toThrow(
      'GET /api/formulas/:id has two handlers: StolenController.read in StolenModule answers, and ' +
        'FormulasController.get in FormulasModule is never asked.',
    );
  });

  it('handlers of two extensions on one path', async () => {
    @Controller('ext/things')
    class FirstController {
      @Get(':id')
      read() {}
    }
    @Controller('ext')
    class SecondController {
      @Get('things/:name')
      read() {}
    }
    @Module({ controllers: [FirstController] })
    class FirstModule {}
    @Module({ controllers: [SecondController] })
    class SecondModule {}
    const module = { imports: [AppModule.register({ extensions: [FirstModule, SecondModule] })] };
    await expect(bootApp({ module })).rejects.toThrow(
      /FirstController\.read in FirstModule answers, and SecondController\.read in SecondModule is never asked/,
    );
  });

  it('a role that a route names and nobody registers', async () => {
    @Controller('ext/x')
    class SignaturesController {
      @Roles('lead')
      @Get()
      list() {}
    }
    await expect(starting(undefined, [SignaturesController])).rejects.toThrow(
      '@Roles on SignaturesController.list (GET ext/x) names lead',
    );
  });

  it('a string in place of a token', async () => {
    const handler = {
      provide: 'EVENT_HANDLER',
      useValue: { name: 'mine', events: [], handle: () => undefined },
    };
    await expect(starting(handler)).rejects.toThrow(
      "'EVENT_HANDLER' in WrongModule is a string: import EVENT_HANDLER from formula-development-service.",
    );
  });

  class Undecorated {
    grams!: number;
  }
  class Nesting {
    @ObjectField({ type: () => Undecorated })
    sample!: Undecorated;
  }

  it('a body of a class without field decorators', async () => {
    @Controller('ext/x')
    class SamplesController {
      @Post()
      create(@Body() input: Undecorated) {
        return input;
      }
    }
    await expect(starting(undefined, [SamplesController])).rejects.toThrow(
      '@Body() of SamplesController.create (POST ext/x) has the class Undecorated without a field decorator',
    );
  });

  it('parameters of a class whose nested class has no field decorators', async () => {
    @Controller('ext/x')
    class SamplesController {
      @Get()
      list(@Query() query: Nesting) {
        return query;
      }
    }
    await expect(starting(undefined, [SamplesController])).rejects.toThrow(
      '@Query() of SamplesController.list (GET ext/x) has the class Undecorated without a field decorator',
    );
  });

  it('a route outside ext/, of a module that an extension imports', async () => {
    @Controller('samples')
    class SamplesController {
      @Get(':id')
      read() {}
    }
    @Module({ controllers: [SamplesController] })
    class SamplesModule {}
    @Module({ imports: [SamplesModule] })
    class LaboratoryModule {}
    const module = { imports: [AppModule.register({ extensions: [LaboratoryModule] })] };
    await expect(bootApp({ module })).rejects.toThrow(
      'GET /api/samples/:id (SamplesController.read in SamplesModule) must begin with /api/ext/',
    );
  });

  it('a rate of a throttler that does not exist', async () => {
    @Controller('ext/x')
    class ReportsController {
      @Throttle({ short: { limit: 1, ttl: 1000 } })
      @Get()
      list() {}
    }
    await expect(starting(undefined, [ReportsController])).rejects.toThrow(
      "@Throttle on ReportsController.list (GET ext/x) names 'short': there is only 'default'.",
    );
  });

  it('a second provider of one token, before which Nest would drop the first', () => {
    const provide = (useValue: object) => ({ provide: WRITE_VALIDATOR, useValue });
    expect(() => AppModule.register({ providers: [provide({}), provide({})] })).toThrow(
      'AppModule.register: WRITE_VALIDATOR is provided twice, and Nest would use only the last one.',
    );
  });

  it('an extension that is undefined', () => {
    @Module({})
    class FirstModule {}
    const register = () => AppModule.register({ extensions: [FirstModule, undefined as never] });
    expect(register).toThrow('AppModule.register: extensions[1] is undefined.');
  });
});
