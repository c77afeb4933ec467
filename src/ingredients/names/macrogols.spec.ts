import { macrogolsOf } from './macrogols';

describe('macrogolsOf', () => {
  it.each([
    ['peg400', [['PEG-8'], ['PEG-400']]],
    ['macrogol600', [['PEG-12'], ['PEG-600']]],
    ['聚乙二醇1500', [['PEG-32'], ['PEG-1500']]],
    ['polyethyleneglycol200', [['PEG-4'], ['PEG-200']]],
    ['peg10000', [['PEG-227'], ['PEG-10000']]],
  ])('%s may mean %j', (key, inciNames) => expect(macrogolsOf(key)).toEqual(inciNames));

  it.each(['peg199', 'peg8', 'peg90m', 'peg400stearate', 'ppg400'])('%s is no mass', (key) =>
    expect(macrogolsOf(key)).toBeUndefined(),
  );
});
