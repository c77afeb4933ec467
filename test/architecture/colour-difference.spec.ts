import { violationsOf } from '../support/dependency-check';

/**
 * Files by path below src, each with what it imports; some that the rules let pass, and some that they
 * do not.
 */
const FILES: Record<string, string[]> = {
  'colors/difference/index.ts': ['./difference', './cie-lab'],
  'colors/difference/difference.ts': ['culori', './cie-lab'],
  'colors/difference/difference.spec.ts': ['../../platform/common/clock'],
  'colors/difference/cie-lab.ts': [],
  'colors/color.service.ts': ['./difference', './difference/index', '../platform/common/clock'],
  'colors/color.repository.ts': ['./difference/cie-lab'],
  'colors/difference/framework.ts': ['@nestjs/common', 'typeorm'],
  'colors/difference/service.ts': ['../../platform/common/clock'],
  'colors/difference/module.ts': ['../color.limits'],
  'colors/difference/node.ts': ['node:fs'],
  'colors/color.limits.ts': [],
  'platform/common/clock.ts': [],
};

describe('Colour difference', () => {
  it('imports one library of colours and nothing else, and is imported by its index only', async () => {
    const violations = await violationsOf(FILES, ['culori', 'typeorm', '@nestjs/common']);
    const found = violations.filter((violation) => violation.startsWith('colour-difference-'));
    expect(found).toEqual([
      'colour-difference-by-its-index: src/colors/color.repository.ts → src/colors/difference/cie-lab.ts',
      'colour-difference-knows-no-service: src/colors/difference/framework.ts → node_modules/@nestjs/common/index.js',
      'colour-difference-knows-no-service: src/colors/difference/framework.ts → node_modules/typeorm/index.js',
      'colour-difference-knows-no-service: src/colors/difference/module.ts → src/colors/color.limits.ts',
      'colour-difference-knows-no-service: src/colors/difference/node.ts → fs',
      'colour-difference-knows-no-service: src/colors/difference/service.ts → src/platform/common/clock.ts',
    ]);
  });
});
