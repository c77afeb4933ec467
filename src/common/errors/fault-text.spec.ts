import { joinFaults, shortened } from './fault-text';
import { InvalidInputError } from './service-error';

const faults = (count: number) => Array.from({ length: count }, (_, n) => `f${n}`);

describe('joinFaults', () => {
  it('names all up to 20', () => {
    expect(joinFaults(['a: 一', 'b: 二'])).toBe('a: 一; b: 二');
    expect(joinFaults(faults(20))).toBe(faults(20).join('; '));
  });

  it('names the first 20 of more, and how many there are', () => {
    expect(joinFaults(faults(21))).toBe(`${faults(20).join('; ')}; 共21处错误`);
    expect(joinFaults(faults(20), 4000)).toBe(`${faults(20).join('; ')}; 共4000处错误`);
  });
});

describe('shortened', () => {
  it('cuts only what is too long, to exactly what it may be', () => {
    expect(shortened('abcd', 4)).toBe('abcd');
    expect(shortened('abcde', 4)).toBe('abc…');
  });

  it('cuts no character in two', () => {
    expect(shortened('ab😀😀', 4)).toBe('ab…');
    expect(shortened('a😀😀', 4)).toBe('a😀…');
  });
});

describe('an error of many faults', () => {
  it('names 20 and their number', () => {
    const given = faults(21).map((field) => ({ field, message: 'x' }));
    expect(InvalidInputError.of(given).message).toMatch(/^f0: x; f1: x; .*; f19: x; 共21处错误$/);
  });

  it('keeps each of them, and their number, however long paths and messages are', () => {
    const given = Array(100).fill({ field: 'f'.repeat(1000), message: 'm'.repeat(1000) });
    const told = InvalidInputError.of(given).message.split('; ');
    expect(told).toHaveLength(21);
    expect(told[0]).toBe(`${'f'.repeat(199)}…: ${'m'.repeat(249)}…`);
    expect(told[20]).toBe('共100处错误');
  });
});
