import { EMBEDDING_SIZE, featureHash, LOCAL_MAKER } from './feature-hash';

const cosine = (a: string, b: string): number => {
  const left = featureHash(a);
  const right = featureHash(b);
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
};

describe('featureHash', () => {
  it('has 1536 numbers and length 1', () => {
    const vector = featureHash('保湿面霜 with Sodium Hyaluronate');
    expect(EMBEDDING_SIZE).toBe(1536);
    expect(vector).toHaveLength(1536);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('gives zeros for a text without words', () => {
    expect(featureHash(' … !').every((value) => value === 0)).toBe(true);
  });

  it('never changes: stored vectors depend on it', () => {
    const entries = [...featureHash('甘油 Glycerin 甘').entries()].filter(([, value]) => value !== 0);
    expect(entries.map(([place, value]) => `${place}: ${value.toFixed(4)}`)).toMatchSnapshot();
    expect(LOCAL_MAKER).toBe('feature-hash-1');
  });

  it('counts a word said again, but less than the first time', () => {
    const weight = (text: string) => {
      const [place] = [...featureHash('油').entries()].find(([, value]) => value !== 0)!;
      const [other] = [...featureHash('水').entries()].find(([, value]) => value !== 0)!;
      const vector = featureHash(text);
      return Math.abs(vector[place]! / vector[other]!);
    };
    expect(weight('油 水')).toBeCloseTo(1, 5);
    expect(weight('油 油 水')).toBeCloseTo(1 + Math.log(2), 5);
  });

  it('is the same for the same text in other case and width', () => {
    expect(cosine('Glycerin 甘油', 'ＧＬＹＣＥＲＩＮ 甘油')).toBeCloseTo(1, 5);
  });

  it('puts texts that share words nearer than those that do not', () => {
    expect(cosine('清爽保湿面霜', '保湿霜')).toBeGreaterThan(cosine('清爽保湿面霜', '去屑洗发水'));
    expect(cosine('moisturizing cream', 'moisturising creams')).toBeGreaterThan(
      cosine('moisturizing cream', 'shampoo'),
    );
  });
});
