import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { InvalidInputError } from './errors/service-error';
import { ExtensionError } from './extension-tokens';
import { EXTRA_ROLES, RegisteredRoles } from './registered-roles';

@Module({})
class FirstModule {}
@Module({})
class SecondModule {}

async function rolesOf(...values: unknown[]): Promise<RegisteredRoles> {
  const modules = [FirstModule, SecondModule];
  const imports = values.map((useValue, at) => ({
    module: modules[at]!,
    providers: [{ provide: EXTRA_ROLES, useValue }],
  }));
  const compiled = await Test.createTestingModule({
    imports: [DiscoveryModule, ...imports],
    providers: [RegisteredRoles],
  }).compile();
  return compiled.get(RegisteredRoles);
}

describe('The registered roles', () => {
  it('are the service’s own, then those of every module', async () => {
    expect((await rolesOf()).names).toEqual(['engineer', 'admin']);
    const roles = await rolesOf(['viewer', 'lead_2'], 'qa-lab');
    expect(roles.names).toEqual(['engineer', 'admin', 'viewer', 'lead_2', 'qa-lab']);
    expect(['admin', 'viewer', 'qa-lab', 'root', undefined, {}].map((role) => roles.has(role))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each<unknown>([
    '',
    'Viewer',
    'view er',
    'viewer\n',
    'ｖiewer',
    'x'.repeat(51),
    5,
    null,
    undefined,
    {},
    ['viewer', 'no!'],
    [['viewer']],
  ])('are not %j, which names its module', async (value) => {
    const roles = await rolesOf(['viewer'].slice(1), value);
    expect(() => roles.onModuleInit()).toThrow(
      new ExtensionError(
        'EXTRA_ROLES in SecondModule must be names of 1 to 50 lower-case letters, digits, - and _.',
      ),
    );
  });

  it.each([
    [[['viewer'], ['lead', 'viewer']], 'viewer in SecondModule and in FirstModule'],
    [[['viewer', 'viewer']], 'viewer in FirstModule and in FirstModule'],
    [[['admin']], 'admin in FirstModule and in the service itself'],
  ])('%j: one of them twice is refused with both places', async (values, places) => {
    const roles = await rolesOf(...values);
    expect(() => roles.onModuleInit()).toThrow(
      new ExtensionError(`EXTRA_ROLES has ${places}: a role is registered once.`),
    );
  });

  it('are all that an account can be given', async () => {
    const roles = await rolesOf('x'.repeat(50));
    expect(() => roles.check('x'.repeat(50))).not.toThrow();
    expect(() => roles.check('root')).toThrow(
      new InvalidInputError(`role: 必须是以下值之一: engineer, admin, ${'x'.repeat(50)}`),
    );
  });
});
