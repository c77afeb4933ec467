import { readCategory } from './function-category';

describe('readCategory', () => {
  it.each(['ph_adjuster', 'pH adjuster', 'PH-Adjuster', 'pH  - adjuster', 'pH调节剂'])('knows %j', (text) => {
    expect(readCategory(text)).toEqual({ value: 'ph_adjuster' });
  });

  it('names the categories where a text is none', () => {
    expect(readCategory('Acid')).toEqual({ fault: expect.stringMatching(/^"Acid" is .*humectant, /) });
  });
});
