import { All, Controller, type ControllerOptions, Get, Post, Version } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { refuseSharedRoutes } from './shared-routes';

type Handler = ReturnType<typeof Get>;

/** A module with one controller, `read` of which has these decorators. */
function moduleWith(name: string, path: ControllerOptions, ...handler: Handler[]) {
  const controller = {
    [`${name}Controller`]: class {
      read() {}
    },
  }[`${name}Controller`]!;
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, 'read')!;
  for (const decorate of handler) decorate(controller.prototype, 'read', descriptor);
  Controller(path)(controller);
  return {
    metatype: { [`${name}Module`]: class {} }[`${name}Module`]!,
    controllers: new Map([[controller, { metatype: controller }]]),
  };
}

const check = (...modules: ReturnType<typeof moduleWith>[]) =>
  refuseSharedRoutes(
    Object.assign(new Map(modules.entries()), { applicationId: 'x' }) as unknown as ModulesContainer,
  );

const two = (first: [ControllerOptions, ...Handler[]], second: [ControllerOptions, ...Handler[]]) => () =>
  check(moduleWith('A', ...first), moduleWith('B', ...second));

describe('refuseSharedRoutes', () => {
  it('names both handlers', () => {
    expect(two([{ path: 'formulas' }, Get(':x')], [{ path: '/formulas/' }, Get('/:id')])).toThrow(
      'GET /api/formulas/:id has two handlers: AController.read in AModule answers, and BController.read in BModule is never asked.',
    );
  });

  it.each<[string, string, string, string]>([
    ['formulas', '', 'formulas', ''],
    ['Formulas', ':id', 'formulas', ':x'],
    ['formulas/:id', '', 'formulas', ':x'],
    [':kind', ':id', 'formulas', ':id'],
    [':kind', ':id', 'formulas', 'list'],
    ['*path', '', 'formulas', ':id'],
    ['formulas', '*rest', 'formulas', ':id/composition'],
    ['formulas{/:id}', '', 'formulas', ''],
    ['formulas', 'a-:x.json', 'formulas', 'a-:y.json'],
    ['a/*x/b', '', 'a/c/d', 'b'],
  ])('refuses %s/%s before %s/%s', (path, handler, later, laterHandler) => {
    expect(two([{ path }, Get(handler)], [{ path: later }, Get(laterHandler)])).toThrow('two handlers');
  });

  it.each<[string, string, string, string]>([
    ['formulas', 'list', 'formulas', ':id'],
    ['formulas', ':id', 'formulas', ''],
    ['formulas', ':id', 'formulas', ':id/composition'],
    ['formulas', ':id/a', 'formulas', ':id/b'],
    ['formulas', ':id', ':kind', ':id'],
    ['formulas', ':id', 'formulas{/:id}', ''],
    ['formulas', ':id', 'formulas', '*rest'],
    ['formulas', ':id.json', 'formulas', ':id.csv'],
    ['formulas', '*rest', 'formulas', ''],
    ['a/*x/b', '', 'a', 'b'],
  ])('takes %s/%s before %s/%s', (path, handler, later, laterHandler) => {
    expect(two([{ path }, Get(handler)], [{ path: later }, Get(laterHandler)])).not.toThrow();
  });

  it('tells methods apart, of which All is every one', () => {
    expect(two([{ path: 'x' }, Get()], [{ path: 'x' }, Post()])).not.toThrow();
    expect(two([{ path: 'x' }, Get()], [{ path: 'x' }, All()])).not.toThrow();
    expect(two([{ path: 'x' }, All()], [{ path: 'x' }, Post()])).toThrow('POST /api/x has two handlers');
  });

  it('tells hosts and versions apart', () => {
    expect(two([{ path: 'x', host: 'a' }, Get()], [{ path: 'x', host: 'b' }, Get()])).not.toThrow();
    expect(two([{ path: 'x' }, Get(), Version('1')], [{ path: 'x' }, Get(), Version('2')])).not.toThrow();
    expect(two([{ path: 'x' }, Get(), Version('1')], [{ path: 'x' }, Get(), Version('1')])).toThrow();
  });

  it('knows each of several paths, and the path of a module', () => {
    expect(two([{ path: ['a', 'b'] }, Get(['c', 'd'])], [{ path: 'b' }, Get('d')])).toThrow('/api/b/d');
    const module = moduleWith('B', { path: 'y' }, Get());
    Reflect.defineMetadata('__module_path__x', '/x', module.metatype);
    expect(() => check(moduleWith('A', { path: 'x/y' }, Get()), module)).toThrow('/api/x/y');
    expect(() => check(moduleWith('A', { path: 'y' }, Get()), module)).not.toThrow();
  });
});
