import type { ValidationError } from 'class-validator';
import { fieldFaults } from './input.pipe';

const fault = (
  property: string,
  more: Pick<ValidationError, 'constraints' | 'children'>,
): ValidationError => ({
  property,
  ...more,
});

describe('field faults', () => {
  it('are a flat list with dotted paths, in reading order', () => {
    const errors = [
      fault('name', { constraints: { text: '不能为空' } }),
      fault('phases', {
        children: [
          fault('1', {
            children: [
              fault('sortOrder', { constraints: { integer: '必须是整数' } }),
              fault('ingredients', {
                children: [
                  fault('0', { children: [fault('percentage', { constraints: { number: '必须大于0' } })] }),
                ],
              }),
            ],
          }),
        ],
      }),
    ];
    expect(fieldFaults(errors)).toEqual([
      { field: 'name', message: '不能为空' },
      { field: 'phases.1.sortOrder', message: '必须是整数' },
      { field: 'phases.1.ingredients.0.percentage', message: '必须大于0' },
    ]);
  });

  it('one message per field, never class-validator’s own about nesting', () => {
    const errors = [
      fault('list', {
        constraints: { nestedValidation: 'each value in nested property …', list: '必须是数组' },
      }),
      fault('both', { constraints: { a: '一', b: '二' } }),
    ];
    expect(fieldFaults(errors)).toEqual([
      { field: 'list', message: '必须是数组' },
      { field: 'both', message: '一' },
    ]);
  });
});
