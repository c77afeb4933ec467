import { searchTerms } from './search-keywords';

describe('searchTerms', () => {
  it('takes the keywords and filters of the model, each keyword once', () => {
    expect(searchTerms('x', { keywords: ['Cream', 'cream', '霜'], filters: { name: 'n' } })).toEqual({
      keywords: ['cream', '霜'],
      filters: { name: 'n' },
    });
  });

  it('searches for the phrase where there is neither', () => {
    expect(searchTerms('保湿 霜', { keywords: [], filters: { contains: [] } })).toEqual({
      keywords: ['保湿 霜', '保湿', '霜'],
      filters: {},
    });
  });

  it('lets filters stand alone', () => {
    expect(searchTerms('x', { keywords: [], filters: { avoids: ['乙醇'] } }).keywords).toEqual([]);
  });
});
