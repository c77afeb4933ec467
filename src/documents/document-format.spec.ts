import express from 'express';
import { formatOf } from './document-format';

const formatFor = (accept: string | undefined, format?: unknown) => {
  const request = Object.create(express.request, {
    headers: { value: accept === undefined ? {} : { accept } },
    query: { value: { format } },
  });
  return formatOf(request);
};

describe('formatOf', () => {
  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    // Firefox and Chromium.
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'html'],
    ['text/html', 'html'],
    ['text/*', 'html'],
    ['text/csv', 'csv'],
    ['TEXT/CSV', 'csv'],
    ['text/csv; charset=utf-8', 'csv'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
    ['text/html;q=0.5, text/csv;q=0.9', 'csv'],
    ['application/json;q=0.2, text/html;q=0.1', 'json'],
    ['application/json;q=0, text/html', 'html'],
    ['application/json;q=0, */*', 'html'],
    ['text/csv;q=0', 'json'],
    // Nobody here has these: as with all other routes, that is no error.
    ['application/pdf', 'json'],
    ['image/png, application/xml', 'json'],
    ['nonsense', 'json'],
    ['', 'json'],
  ])('gives %j %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });

  it('goes by the query first, and leaves what it does not know to the validation', () => {
    expect(formatFor('text/html', 'csv')).toBe('csv');
    expect(formatFor('text/html', 'json')).toBe('json');
    expect(formatFor('text/html', '')).toBe('html');
    expect(formatFor('text/html', 'pdf')).toBe('html');
    expect(formatFor('text/html', ['csv', 'xlsx'])).toBe('html');
    expect(formatFor(undefined, 'constructor')).toBe('json');
  });
});
