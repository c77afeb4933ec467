import { inEnglish } from '../../test/support/reasons';
import { readCategory } from './function-category';

describe('readCategory', () => {
  it.each(['ph_adjuster', 'pH adjuster', 'PH-Adjuster', 'pH  - adjuster', 'pH调节剂'])('knows %j', (text) => {
    expect(readCategory(text)).toEqual({ value: 'ph_adjuster' });
  });

  it('names the categories where a text is none', () => {
    const reading = inEnglish(readCategory('Acid')) as unknown;
    expect(reading).toEqual({ fault: expect.stringMatching(/^"Acid" is .*humectant, /) });
  });
});
