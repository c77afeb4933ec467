import { violationsOf } from '../support/dependency-check';

/**
 * Files by path below src, each with what it imports; some that the rules let pass, and some that they
 * do not.
 */
const FILES: Record<string, string[]> = {
  'color/difference/index.ts': ['./difference', './lab'],
  'color/difference/difference.ts': ['culori', './lab'],
  'color/difference/difference.spec.ts': ['../../common/clock'],
  'color/difference/lab.ts': [],
  'color/color.service.ts': ['./difference', './difference/index', '../common/clock'],
  'color/color.repository.ts': ['./difference/lab'],
  'color/difference/framework.ts': ['@nestjs/common', 'typeorm'],
  'color/difference/service.ts': ['../../common/clock'],
  'color/difference/module.ts': ['../color.limits'],
  'color/difference/node.ts': ['node:fs'],
  'color/color.limits.ts': [],
  'common/clock.ts': [],
};

describe('Colour difference', () => {
  it('imports one library of colours and nothing else, and is imported by its index only', async () => {
    const violations = await violationsOf(FILES, ['culori', 'typeorm', '@nestjs/common']);
    const found = violations.filter((violation) => violation.startsWith('colour-difference-'));
    expect(found).toEqual([
      'colour-difference-by-its-index: src/color/color.repository.ts → src/color/difference/lab.ts',
      'colour-difference-knows-no-service: src/color/difference/framework.ts → node_modules/@nestjs/common/index.js',
      'colour-difference-knows-no-service: src/color/difference/framework.ts → node_modules/typeorm/index.js',
      'colour-difference-knows-no-service: src/color/difference/module.ts → src/color/color.limits.ts',
      'colour-difference-knows-no-service: src/color/difference/node.ts → fs',
      'colour-difference-knows-no-service: src/color/difference/service.ts → src/common/clock.ts',
    ]);
  });
});
