import { record } from '../http/envelope';
import { JsonText } from './json-text';

describe('JsonText', () => {
  it('is its value in an answer that is made of objects', () =>
    expect(JSON.stringify(record(new JsonText('{"id":1}')))).toBe('{"data":{"id":1}}'));
});
