import { type DynamicModule, Injectable, Module, Scope, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ExtensionError, placedUnder, theOneUnder, valuesUnder } from './extension-tokens';

const TOKEN = Symbol('TOKEN');

@Module({ providers: [{ provide: TOKEN, useValue: 1 }] })
class FirstModule {}

@Module({ providers: [{ provide: TOKEN, useValue: 2 }] })
class SecondModule {}

@Module({ providers: [{ provide: TOKEN, useFactory: () => Promise.resolve(3) }] })
class MadeModule {}

@Module({ providers: [{ provide: TOKEN, useClass: class Made {} }] })
class ClassModule {}

@Module({ providers: [{ provide: Symbol('TOKEN'), useValue: 4 }] })
class OtherModule {}

async function discovery(...imports: (Type | DynamicModule)[]): Promise<DiscoveryService> {
  const module = await Test.createTestingModule({ imports: [DiscoveryModule, ...imports] }).compile();
  return module.get(DiscoveryService);
}

describe('What extensions provide under a token', () => {
  it('is found in every module, exported or not', async () => {
    const found = await discovery(FirstModule, MadeModule, SecondModule, OtherModule);
    expect(placedUnder(TOKEN, found).map(({ value }) => value)).toEqual([1, 3, 2]);
  });

  it('is the one there is, or nothing', async () => {
    expect(theOneUnder(TOKEN, await discovery(OtherModule, MadeModule))?.value).toBe(3);
    expect(theOneUnder(TOKEN, await discovery(OtherModule))).toBeUndefined();
  });

  it('is refused where there can be one and are two, with both places', async () => {
    const found = await discovery(FirstModule, SecondModule);
    expect(() => theOneUnder(TOKEN, found)).toThrow(
      new ExtensionError('TOKEN is provided in FirstModule and SecondModule: there can be only one.'),
    );
  });

  it('is known before anything is made where it must be a value', async () => {
    expect(valuesUnder(TOKEN, await discovery(FirstModule, SecondModule, OtherModule))).toEqual([1, 2]);
    expect(valuesUnder(TOKEN, await discovery(OtherModule))).toEqual([]);
  });

  it.each<[string, Type[]]>([
    ['MadeModule', [FirstModule, MadeModule]],
    ['ClassModule', [ClassModule, SecondModule]],
    ['MadeModule', [MadeModule, ClassModule]],
  ])('is refused in %s where it must be a value and is none', async (places, modules) => {
    const found = await discovery(...modules);
    expect(() => valuesUnder(TOKEN, found)).toThrow(
      new ExtensionError(
        `TOKEN in ${places} must be a value (useValue): it is needed before anything is made.`,
      ),
    );
  });

  it.each([
    ['for each request', Scope.REQUEST],
    ['for each user of it', Scope.TRANSIENT],
  ])('is refused where it is made anew %s', async (_, scope) => {
    @Injectable({ scope })
    class Scoped {}

    @Module({ providers: [Scoped, { provide: TOKEN, useClass: Scoped, scope }] })
    class ScopedModule {}

    const found = await discovery(FirstModule, ScopedModule);
    const refused = new ExtensionError(
      'TOKEN in ScopedModule must have the default scope, and so must all that it injects.',
    );
    expect(() => placedUnder(TOKEN, found)).toThrow(refused);
  });

  it('is refused where it injects what is made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {}

    @Module({
      providers: [Scoped, { provide: TOKEN, inject: [Scoped], useFactory: (scoped: Scoped) => ({ scoped }) }],
    })
    class ScopedModule {}

    const found = await discovery(ScopedModule);
    expect(() => theOneUnder(TOKEN, found)).toThrow('TOKEN in ScopedModule must have the default scope');
  });
});
