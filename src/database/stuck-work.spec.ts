import { StuckWork } from './stuck-work';

describe('StuckWork', () => {
  const a = { name: 'a' };
  const b = { name: 'b' };

  it('counts the looks at the same work, for each worker', () => {
    const stuck = new StuckWork<string>();
    expect([...stuck.look([['one', a]])]).toEqual([['one', 1]]);
    const second = stuck.look([
      ['one', a],
      ['two', b],
    ]);
    expect([...second]).toEqual([
      ['one', 2],
      ['two', 1],
    ]);
    expect(stuck.look([['one', a]]).get('one')).toBe(3);
  });

  it('begins anew with other work, and after a look that found none', () => {
    const stuck = new StuckWork<string>();
    stuck.look([['one', a]]);
    expect(stuck.look([['one', b]]).get('one')).toBe(1);
    expect(stuck.look([]).size).toBe(0);
    expect(stuck.look([['one', b]]).get('one')).toBe(1);
  });
});
