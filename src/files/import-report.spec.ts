import { batches, lastOfEachKey } from './import-report';

describe('lastOfEachKey', () => {
  it('keeps the last row of each key, in order, and reports the others', async () => {
    const rows = [
      { line: 2, name: 'a' },
      { line: 3, name: 'b' },
      { line: 4, name: 'A' },
      { line: 5, name: 'a' },
    ];
    expect(
      await lastOfEachKey(
        rows,
        ({ name }) => name.toLowerCase(),
        ({ name }) => name,
      ),
    ).toEqual({
      kept: [
        { line: 3, name: 'b' },
        { line: 5, name: 'a' },
      ],
      replaced: [
        { line: 2, replacedBy: 5, key: 'a' },
        { line: 4, replacedBy: 5, key: 'A' },
      ],
    });
  });
});

describe('batches', () => {
  it('cuts a list into pieces', () => {
    expect(batches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(batches([], 2)).toEqual([]);
  });
});
