import { violationsOf } from '../support/dependency-check';

/**
 * Files by path below src, each with what it imports; some that the rules let pass, and some that they
 * do not.
 */
const FILES: Record<string, string[]> = {
  'color/matching/index.ts': ['./difference', './lab'],
  'color/matching/difference.ts': ['culori', './lab'],
  'color/matching/difference.spec.ts': ['../../common/clock'],
  'color/matching/lab.ts': [],
  'color/color.service.ts': ['./matching', './matching/index', '../common/clock'],
  'color/color.repository.ts': ['./matching/lab'],
  'color/matching/framework.ts': ['@nestjs/common', 'typeorm'],
  'color/matching/service.ts': ['../../common/clock'],
  'color/matching/module.ts': ['../color.limits'],
  'color/matching/node.ts': ['node:fs'],
  'color/color.limits.ts': [],
  'common/clock.ts': [],
};

describe('Colour difference', () => {
  it('imports one library of colours and nothing else, and is imported by its index only', async () => {
    const violations = await violationsOf(FILES, ['culori', 'typeorm', '@nestjs/common']);
    const found = violations.filter((violation) => violation.startsWith('colour-difference-'));
    expect(found).toEqual([
      'colour-difference-by-its-index: src/color/color.repository.ts → src/colors/difference/lab.ts',
      'colour-difference-knows-no-service: src/color/matching/framework.ts → node_modules/@nestjs/common/index.js',
      'colour-difference-knows-no-service: src/color/matching/framework.ts → node_modules/typeorm/index.js',
      'colour-difference-knows-no-service: src/color/matching/module.ts → src/color/color.limits.ts',
      'colour-difference-knows-no-service: src/color/matching/node.ts → fs',
      'colour-difference-knows-no-service: src/color/matching/service.ts → src/platform/common/clock.ts',
    ]);
  });
});
