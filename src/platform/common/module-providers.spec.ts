import { type DynamicModule, forwardRef, Module } from '@nestjs/common';
import { listedValuesOf, providersOf } from './module-providers';

const TOKEN = Symbol('TOKEN');

class First {}
class Second {}
class Third {}
const one = { provide: TOKEN, useValue: 1 };
const more = { provide: TOKEN, useValue: [2, 3] };
const made = { provide: Symbol('TOKEN'), useFactory: () => 4 };

@Module({ providers: [First, one] })
class Leaf {}

@Module({})
class Dynamic {
  static register(): DynamicModule {
    return { module: Dynamic, providers: [Second, made], imports: [Leaf] };
  }
}

@Module({ imports: [forwardRef(() => Root), Leaf] })
class Circle {}

@Module({ providers: [more] })
class Late {}

@Module({
  imports: [Dynamic.register(), Circle, Promise.resolve({ module: Late, providers: [Third] })],
})
class Root {}

it('finds each provider of a module tree once, those of promised modules too', async () => {
  const found = await providersOf(Root);
  expect(new Set(found)).toEqual(new Set([First, Second, Third, one, more, made]));
  expect(found).toHaveLength(6);
  expect(await providersOf(forwardRef(() => Leaf))).toEqual([First, one]);
  await expect(providersOf(Promise.reject(new Error('no module')))).rejects.toThrow('no module');
});

it('refuses what a factory would make under a token that must be a value', async () => {
  const found = listedValuesOf({ module: First, providers: [{ ...made, provide: TOKEN }] }, TOKEN);
  await expect(found).rejects.toThrow(
    'TOKEN in First must be a value (useValue): it is needed before anything is made.',
  );
});

it('finds values under a token, single and listed', async () => {
  expect(new Set(await listedValuesOf(Root, TOKEN))).toEqual(new Set([1, 2, 3]));
  expect(await listedValuesOf(Leaf, Symbol('TOKEN'))).toEqual([]);
});
