import { wireError } from './wire-errors';

const bodyOf = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');

describe('wireError', () => {
  it.each([
    ['HPE_INVALID_URL', 400, '请求地址中的中文等字符须用百分号编码'],
    ['HPE_HEADER_OVERFLOW', 431, '请求地址或请求头过长'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, '请求体过大'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, '请求超时'],
    ['HPE_INVALID_METHOD', 400, '请求格式错误'],
    [undefined, 400, '请求格式错误'],
  ])('%s is a %i that says what is wrong', (code, statusCode, error) => {
    const answer = wireError(code);

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} [A-Z]`));
    expect(bodyOf(answer)).toEqual({ error, statusCode });
  });

  it('counts the bytes of its body, not the characters', () => {
    const [head = '', body = ''] = wireError(undefined).split('\r\n\r\n');

    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  });
});
