import { dependencyViolations, violationsOf } from '../support/dependency-check';

/** Imports that go downwards, and files that are imported below. */
const ALLOWED = {
  'platform/common/clock.ts': [],
  'platform/config/settings.ts': ['../common/clock'],
  'users/users.ts': ['../platform/common/clock'],
  'users/auth.ts': ['./users'],
  'platform/request-limits/guard.ts': ['../authentication/tokens'],
  'platform/authentication/tokens.ts': [],
  'ingredients/ingredients.ts': [],
  'formulas/formulas.ts': ['../ingredients/ingredients'],
  'extensions/labels/labels.ts': ['./rules', '../../users/auth'],
  'extensions/labels/rules.ts': [],
  'app.module.ts': ['./platform/request-limits/guard', './extensions/labels/labels'],
  'cli/run.ts': ['../app.module'],
  'testing/app.ts': ['../app.module'],
};

/** What each forbidden import is, the file with it and what it imports, and how the breach is reported. */
const FORBIDDEN: [what: string, file: string, imports: string, violation: string][] = [
  [
    'upwards',
    'users/upwards.ts',
    '../formulas/formulas',
    'layer-users: src/users/upwards.ts → src/formulas/formulas.ts',
  ],
  [
    'of a module of the same layer',
    'projects/beside.ts',
    '../ingredients/ingredients',
    'layer-projects: src/projects/beside.ts → src/ingredients/ingredients.ts',
  ],
  [
    'of the files that put the application together',
    'colors/color.ts',
    '../app.module',
    'layer-colors: src/colors/color.ts → src/app.module.ts',
  ],
  [
    'of settings by the lowest layer',
    'platform/common/upwards.ts',
    '../config/settings',
    'layer-platform: src/platform/common/upwards.ts → src/platform/config/settings.ts',
  ],
  [
    'from one extension to another',
    'extensions/costs/costs.ts',
    '../labels/labels',
    'layer-extensions: src/extensions/costs/costs.ts → src/extensions/labels/labels.ts',
  ],
  [
    'of the service by the reader of pasted texts',
    'formula-text/reader.ts',
    '../platform/common/clock',
    'formula-text-knows-no-service: src/formula-text/reader.ts → src/platform/common/clock.ts',
  ],
  [
    'of a command by the service',
    'main.ts',
    './cli/run',
    'application-imports-no-cli-or-testing: src/main.ts → src/cli/run.ts',
  ],
  [
    'of what tests use by the service',
    'app.factory.ts',
    './testing/app',
    'application-imports-no-cli-or-testing: src/app.factory.ts → src/testing/app.ts',
  ],
  [
    'from a module without a layer',
    'attic/box.ts',
    '../platform/common/clock',
    'module-without-layer: src/attic/box.ts → src/platform/common/clock.ts',
  ],
  [
    'of nothing',
    'platform/common/nowhere.ts',
    './missing',
    'no-unresolvable: src/platform/common/nowhere.ts → ./missing',
  ],
];

describe('The layers', () => {
  let planted: string[];

  beforeAll(async () => {
    planted = await violationsOf({
      ...ALLOWED,
      ...Object.fromEntries(FORBIDDEN.map(([, file, imports]) => [file, [imports]])),
      'platform/health/one.ts': ['./two'],
      'platform/health/two.ts': ['./one'],
    });
    // A module keeps its rule's name when a layer below it is added.
    planted = planted.map((violation) => violation.replace(/^layer-\d+-/, 'layer-'));
  });

  it('hold for the code as it is', async () => {
    expect(await dependencyViolations()).toEqual([]);
  });

  it.each(Object.keys(ALLOWED))('let imports go downwards: %s', (file) => {
    expect(planted.filter((violation) => violation.includes(`: src/${file} →`))).toEqual([]);
  });

  it.each(FORBIDDEN)('refuse an import %s', (_, file, _imports, violation) => {
    expect(planted.filter((line) => line.includes(`: src/${file} →`))).toEqual([violation]);
  });

  it('refuse a circle', () => {
    expect(planted.filter((line) => line.startsWith('no-circular'))).toEqual([
      expect.stringMatching('src/platform/health/(one|two).ts → src/platform/health/(two|one).ts'),
    ]);
  });
});
